/**
 * A matrix: origins coloured by their mean time, by the time to the nearest destination, or by the share of destinations
 * within some minutes. If an origin is picked, all destinations show the times from it; if a destination is picked, all
 * origins show the times to it.
 *
 * `data.matrix` has `origins` and `destinations` (columns `id`, `name`, `ok`, `points`); `counted`, the number of
 * destinations not outside the coverage; `rows` (the indices of the origins whose cells are in the page); `hours`; `mean`
 * and `nearest` (s), for each hour and row if `usesCells` is true, else once for each origin; and `cells`: for each row,
 * its half minutes, rounded up, hour by hour, encoded in one to three characters each (`MinuteText` of the program). If
 * the job stores sums of weights, `within` has `thresholds`, their `unit`, and `shares` in thousandths by threshold, hour
 * and origin. If `hasSummaries` or `areInTable` is true, the database has the summaries or the cells.
 */
class MatrixMap {
  /** Limits of classes are multiples of one of these numbers of seconds; the roundest come first. */
  static steps = [3600, 1800, 900, 600, 300, 120, 60, 30];

  constructor(explorer, data) {
    const matrix = data.matrix;
    Object.assign(this, { explorer, matrix, times: data.scale, scales: new Map(), known: new Map(), hour: 0, picked: null, one: null, values: new Map(), limit: data.scale[2] ?? 900 });
    this.origins = placesOf(matrix.origins).map((place) => ({ ...place, role: "origin" }));
    this.destinations = placesOf(matrix.destinations).map((place) => ({ ...place, role: "destination" }));
    // An origin's trip to itself counts neither as the nearest nor in the mean.
    const key = ({ id, x, y }) => JSON.stringify([id, x, y]);
    const destinationOf = new Map(this.destinations.map((place) => [key(place), place.index]));
    this.own = this.origins.map((place) => destinationOf.get(key(place)));
    // A place that is both an origin and a destination is drawn as an origin.
    const both = new Set(this.own);
    this.marked = this.destinations.filter((place) => place.ok && !both.has(place.index));
    this.lattice = latticeOf(this.origins.filter(({ ok }) => ok));
    explorer.frameOf([...this.origins, ...this.destinations].filter(({ ok }) => ok).map(({ x, y }) => Float64Array.of(x, y)), this.lattice?.radius);
    this.hasCells = matrix.rows.length > 0;
    this.rowOf = new Map(matrix.rows.map((origin, row) => [origin, row]));
    this.halves = matrix.cells.map((text) => this.decoded(text));

    // The exact shares that origins reach within the job's thresholds; the middle threshold is shown first.
    this.reached = matrix.within ? { ...matrix.within, first: matrix.within.thresholds.length >> 1 } : null;
    // The summaries that the job has; the mean if all are null, and there are no shares.
    const known = (kind) => matrix.usesCells || matrix[kind][0]?.some((seconds) => seconds !== null);
    this.kinds = ["mean", "nearest"].filter((kind) => known(kind) || (kind === "mean" && !this.reached && !known("nearest") && matrix.mean[0]?.length));
    // Without any times, the map shows only the places.
    this.isBare = !this.kinds.length && !this.reached;
    if (this.isBare) this.marked.unshift(...this.origins.filter(({ ok }) => ok));
    this.choice = element("select", { "aria-label": "Meaning of the colours", onchange: () => this.change() },
      this.kinds.map((kind) => element("option", { value: kind }, kind === "mean" ? "mean time to the destinations reached" : "time to the nearest destination")),
      this.isBare ? element("option", { value: "none" }, "origins and destinations") : null,
      this.hasCells && !this.reached ? element("option", { value: "share" }, "share of destinations within …") : null,
      ...(this.reached?.thresholds ?? []).map((threshold, index) => element("option", { value: index, selected: index === this.reached.first }, `${this.reached.unit} within ${limitText(threshold)}`)));
    this.limits = element("select", { "aria-label": "within how many minutes", hidden: true, onchange: () => this.change() },
      this.times.map((limit) => element("option", { value: limit, selected: limit === this.limit }, limitText(limit))));
    explorer.controls.append(element("label", {}, "Colours: ", this.choice), this.limits);
    if (matrix.hours.length > 1) this.addSlider();

    explorer.add({ name: "places", paint: (context, tile) => this.paint(context, tile), find: (x, y, reach) => this.find(x, y, reach), pick: (found) => this.pick(found.place) });
    if (matrix.leftOut) explorer.note(matrix.leftOut);
    this.addList();
    this.change();
    // If the job stores no summaries, their table is empty; if its cells are in a file, the database has no times.
    const [table, id, where] = matrix.hasSummaries ? ["origin_summary", "origin_id"] : matrix.areInTable ? ["matrix", "origin_id"] : ["place", "place_id", "role = 'origin'"];
    explorer.take = new Take(explorer, {
      word: "origin", table, id, where, isPart: matrix.usesCells && matrix.rows.length < this.origins.length, other: () => this.one?.id, pickOther: (other) => this.pickNamed(other), picked: () => (this.picked?.role === "origin" ? this.picked.id : null),
      columns: [id, "name", ...this.kinds.map((kind) => `${kind}_travel_time`), ...(this.reached?.thresholds ?? []).map((threshold) => `share_within_${threshold}`)],
      hour: () => this.matrix.hours[this.hour],
      row: (row) => [this.origins[row].id, this.origins[row].name, ...this.kinds.map((kind) => { const seconds = this.summary(row, kind); return seconds === null || seconds === undefined ? null : Math.round(seconds); }), ...(this.reached?.thresholds ?? []).map((_, threshold) => { const share = this.share(threshold, row); return share === null ? null : Number((share / 100).toFixed(5)); })],
      geometry: (row) => pointGeometry(this.origins[row].x, this.origins[row].y),
    });
  }

  /** Decodes a row: half minutes by hour and destination, -1 if there is no route. */
  decoded(text) {
    const halves = new Int16Array(Math.max(1, this.matrix.hours.length) * this.destinations.length);
    let [at, index] = [0, 0];
    const digit = () => {
      const code = text.charCodeAt(at++);
      return code - 35 - (code > 60) - (code > 92);
    };
    while (at < text.length) {
      if (text.charCodeAt(at) === 33) { halves[index++] = -1; at++; continue; }
      const first = digit();
      if (first < 80) halves[index++] = first;
      else if (first < 89) halves[index++] = 80 + (first - 80) * 90 + digit();
      else halves[index++] = 890 + digit() * 90 + digit();
    }
    return halves;
  }

  /** Whole minutes from an origin to a destination, at the selected hour by default; null if there is no route, or if it is not in the page. */
  cell(origin, destination, hour = this.hour) {
    const found = this.halves[this.rowOf.get(origin)]?.[hour * this.destinations.length + destination];
    return found >= 0 ? found >> 1 : null;
  }

  /** A time as text. Cells are shown in whole minutes, so 0 means less than a minute. */
  told(seconds, isOfCells = true) { return isOfCells && seconds === 0 ? `<${noBreak}1${noBreak}min` : duration(seconds); }

  addSlider() {
    const { hours } = this.matrix;
    this.explorer.addHours(hours, (hour) => {
      this.hour = hour;
      this.change();
      this.list.sort();
      if (this.one) this.pickCell(this.one);
      else if (this.picked) this.explorer.card(() => this.leave(), ...this.described(this.picked));
    }, "mean time", (hour) => mean(this.summaries("mean", hour)));
  }

  addList() {
    const { matrix } = this;
    this.list = this.explorer.addList(new PickList({
      caption: "All origins", count: this.origins.length, order: this.isBare ? 0 : 1, descends: !this.isBare && (this.kinds[0] === "mean" || !this.reached), pick: (row) => this.pick(this.origins[row]),
      search: (row) => `${this.origins[row].id} ${this.origins[row].name}`, among: (row) => !matrix.usesCells || this.rowOf.has(row),
      columns: [
        { title: "origin", text: (row) => this.origins[row].name, value: (row) => this.origins[row].name, width: 46 },
        ...this.kinds.filter((kind) => kind === "mean" || !this.reached).map((kind) => ({ title: kind, isNumber: true, text: (row) => this.told(this.summary(row, kind), false), value: (row) => this.summary(row, kind) ?? null, width: 27 })),
        ...(this.reached ? [{ title: `in ${limitText(this.reached.thresholds[this.reached.first])}`, isNumber: true, text: (row) => { const share = this.share(this.reached.first, row); return share === null ? "–" : percent(share / 100); }, value: (row) => this.share(this.reached.first, row), width: 27 }] : []),
      ],
    }));
  }

  /** The seconds or per cent that determine a place's colour; null without a route, undefined if the place has no colour. */
  value(place) {
    if (this.picked) {
      if (place.role === this.picked.role) return undefined;
      const [from, to] = this.picked.role === "origin" ? [this.picked, place] : [place, this.picked];
      if (!this.rowOf.has(from.index)) return undefined;
      const minutes = this.cell(from.index, to.index);
      return minutes === null ? null : minutes * 60;
    }
    if (place.role !== "origin") return undefined;
    return this.summary(place.index, this.choice.value);
  }

  /** The percentage of the total weight that an origin reaches within a threshold at an hour; null if the origin is not on a street. */
  share(threshold, origin, hour = this.hour) { return this.origins[origin].ok ? this.reached.shares[threshold][hour]?.[origin] / 10 : null; }

  /** An origin's mean or nearest time (s) or share (per cent) at the selected hour; undefined if its cells are not in the page. */
  summary(origin, kind) { return this.summaries(kind, this.hour)[origin]; }

  /** The summaries of all origins at an hour; computed only once, since they read all cells. */
  summaries(kind, hour) {
    const key = `${kind} ${kind === "share" ? this.limit : ""} ${hour}`;
    if (!this.known.has(key)) this.known.set(key, this.origins.map((_, origin) => this.summarized(origin, kind, hour)));
    return this.known.get(key);
  }

  summarized(origin, kind, hour) {
    if (this.isBare) return undefined;
    if (/^\d/.test(kind)) return this.share(Number(kind), origin, hour);
    const { usesCells, [kind]: exact } = this.matrix;
    const row = usesCells || kind === "share" ? this.rowOf.get(origin) : origin;
    if (row === undefined) return undefined;
    if (kind !== "share" && (!usesCells || exact.length)) return exact[hour]?.[row] ?? null;
    const first = hour * this.destinations.length;
    let [count, sum, least, within] = [0, 0, Infinity, 0];
    for (let destination = 0; destination < this.destinations.length; destination++) {
      const halves = this.halves[row][first + destination];
      if (halves < 0) continue;
      if (halves * 30 <= this.limit) within++;
      if (destination === this.own[origin]) continue;
      count++;
      // On average, times are a quarter of a minute shorter than the half minutes to which they are rounded up.
      sum += Math.max(0, halves - 0.5);
      if (halves < least) least = halves;
    }
    if (kind === "share") return (100 * within) / Math.max(1, this.matrix.counted);
    return count ? 30 * (kind === "mean" ? sum / count : least) : null;
  }

  /** The upper limits of the shown classes, ascending; the same at all hours. Limits for means come with the data, since the static picture uses them, too. */
  get scale() {
    if (!this.picked && this.choice.value === "mean") return this.times;
    const kind = this.picked ? `${this.picked.role} ${this.picked.index}` : this.choice.value === "share" ? `share ${this.limit}` : this.choice.value;
    if (!this.scales.has(kind)) this.scales.set(kind, this.fitted());
    return this.scales.get(kind);
  }

  fitted() {
    if (this.picked) {
      const { picked: { role, index: place }, matrix: { rows } } = this;
      const isMeant = (from, to) => (role === "origin" ? from : to) === place && this.own[from] !== to;
      const cells = this.halves.flatMap((halves, row) => [...halves.filter((_, index) => isMeant(rows[row], index % this.destinations.length))]);
      return fitted(cells.filter((value) => value >= 0).map((value) => (value >> 1) * 60), MatrixMap.steps);
    }
    const hours = Array.from({ length: Math.max(1, this.matrix.hours.length) }, (_, hour) => hour);
    const values = hours.flatMap((hour) => this.summaries(this.choice.value, hour)).filter(Number.isFinite);
    return fitted(values, this.isShare ? [20, 10, 5, 2, 1, 0.5] : MatrixMap.steps);
  }

  shade(value) {
    return this.isShare ? shadeOf(-value, this.scale.map((limit) => -limit).reverse()) : shadeOf(value, this.scale);
  }

  change() {
    this.limits.hidden = Boolean(this.picked) || this.choice.value !== "share";
    this.limit = Number(this.limits.value);
    const isReached = /^\d/.test(this.choice.value);
    if (isReached) this.limit = this.reached.thresholds[this.choice.value];
    // While a place is picked, the colours show the times from it or to it.
    const way = this.picked?.role === "origin" ? "from" : "to";
    this.choice.selectedOptions[0].label = this.picked ? `time ${way} the picked ${this.picked.role}` : "";
    this.choice.disabled = Boolean(this.picked);
    this.isShare = !this.picked && (isReached || this.choice.value === "share");
    this.values = new Map();
    for (const place of [...this.origins, ...this.destinations]) this.values.set(place, this.value(place));
    const title = this.picked ? `Travel time ${way} ${this.picked.name}` : `${isReached ? "share of " : ""}${this.choice.selectedOptions[0].textContent.replace("…", limitText(this.limit))}`;
    const shown = this.picked?.role === "origin" ? 0 : this.origins.filter((place) => this.values.get(place) !== undefined).length;
    const part = shown && shown < this.origins.length ? `, ${decimal(shown)} of ${decimal(this.origins.length)} origins` : "";
    this.explorer.legend(this.legend(), title.charAt(0).toUpperCase() + title.slice(1) + part);
    this.explorer.repaint();
  }

  legend() {
    // Cells are transparent, dots are not.
    const shape = this.lattice ? "area" : "dot";
    const values = [...this.values.values()];
    const others = values.includes(null) ? [{ color: "--none", text: this.picked ? "no route" : "reaches nothing", shape: "hatch" }] : [];
    if (!this.picked && this.marked.length) others.push({ color: "--station", text: this.isBare ? "origin or destination" : "destination", shape: "ring" });
    if (this.picked) others.push({ color: "--accent", text: `${this.picked.role} ${this.picked.name}`, shape: "ring" });
    if (this.isShare) {
      const limits = this.scale.map((limit) => decimal(limit, limit % 1 ? 1 : 0)).reverse();
      const words = [`${limits[0]} %${limits[0] === "100" ? "" : " or more"}`, ...limits.slice(1).map((limit, index) => `${limit} to ${limits[index]} %`), `under ${limits.at(-1)} %`];
      return [...inUse(words.map((text, shade) => ({ color: `--c${shade}`, text: text.replace(" %", `${noBreak}%`), shape })), values, (value) => this.shade(value)), ...others];
    }
    return [...inUse(classesOf(this.scale, shape, limitText), values, (value) => this.shade(value)), ...others];
  }

  paint(context, tile) {
    const count = this.origins.length;
    // On a lattice, origins are cells; destinations that are not origins are points.
    const isCell = (place) => this.lattice && place.role === (this.picked?.role === "origin" && this.own.every((own) => own !== undefined) ? "destination" : "origin");
    if (this.lattice)
      paintCells(context, tile, this.lattice, [...this.values.keys()].filter(isCell), (place) => {
        const value = this.values.get(place);
        return typeof value === "number" ? this.shade(value) : value;
      });
    if (this.lattice) this.explorer.backdrop.paintAbove(context, tile);
    const radius = (count < 300 ? 6 : count < 3000 ? 4.5 : 3) * (tile.zoom < 10 ? 0.7 : 1);
    // Far places are drawn first, so that near ones are above them; places without a route are on top.
    const dots = [[], [], [], [], [], [], []];
    for (const [place, value] of this.values) {
      if (value === undefined || isCell(place) || !meets([place.x, place.y, place.x, place.y], tile.box)) continue;
      dots[value === null ? 6 : 5 - this.shade(value)].push(place);
    }
    dots.forEach((places, index) => {
      context.beginPath();
      for (const place of places) {
        const [x, y] = [tile.x(place.x), tile.y(place.y)];
        context.moveTo(x + radius, y);
        context.arc(x, y, radius, 0, 2 * Math.PI);
      }
      if (index === 6) { fillNone(context); return; }
      context.fillStyle = colors.of(`--c${5 - index}`);
      context.fill();
    });
    if (!this.picked && (this.isBare || this.marked.length <= 400)) paintMarks(context, tile, this.marked, { radius: this.marked.length > 60 ? 3 : 5 });
    if (!this.picked) return;
    if (this.one) {
      strokeDashed(context, tile, [Float64Array.of(this.picked.x, this.picked.y, this.one.x, this.one.y)], colors.of("--accent"), 3);
      paintMarks(context, tile, [{ ...this.one, color: colors.of("--paper"), fill: colors.of("--accent") }], { radius: 8 });
    }
    paintMarks(context, tile, [{ ...this.picked, color: colors.of("--accent") }], { radius: 8 });
  }

  find(x, y, reach) {
    const shown = [...this.values].filter(([, value]) => value !== undefined).map(([place]) => place);
    const place = nearestPoint(this.picked ? shown : [...shown, ...this.marked], x, y, Math.max(reach, this.lattice?.radius ?? 0));
    if (!place) return null;
    const value = this.values.get(place);
    const told = value === undefined ? place.role : value === null ? "no route" : this.isShare ? `${decimal(value)}${noBreak}% within ${limitText(this.limit)}` : this.told(value, Boolean(this.picked));
    return { place, text: `${place.name}: ${told}` };
  }

  /** The nearest origin whose cells the page has. */
  nearestKnown(place) {
    return nearestPoint(this.matrix.rows.map((origin) => this.origins[origin]).filter(({ ok }) => ok), place.x, place.y, Infinity) ?? place;
  }

  pick(wanted) {
    if (!this.hasCells) return;
    if (this.picked && wanted.role !== this.picked.role && typeof this.values.get(wanted) === "number") { this.pickCell(wanted); return; }
    this.one = null;
    const place = wanted.role === "origin" && wanted.ok && !this.rowOf.has(wanted.index) ? this.nearestKnown(wanted) : wanted;
    this.wanted = wanted;
    // Picking the same place again returns to all origins.
    this.picked = this.picked === place ? null : place;
    if (place.role === "origin") this.list.select(this.picked ? place.index : -1);
    this.change();
    if (!this.picked) { this.explorer.leave?.(); return; }
    this.explorer.card(() => this.leave(), ...this.described(place));
    this.explorer.say(`${place.role} ${place.name}`);
  }

  /** Picks the trip from the picked origin to a destination by its id. */
  pickNamed(id) {
    const destination = this.destinations.find((place) => String(place.id) === id);
    if (this.picked && destination && this.rowOf.has(this.picked.index)) this.pickCell(destination);
  }

  /** Shows the trip between the picked place and another one, at each hour. */
  pickCell(other) {
    this.one = other;
    const [from, to] = this.picked.role === "origin" ? [this.picked, other] : [other, this.picked];
    const { hours } = this.matrix;
    const times = hours.map((_, hour) => {
      const minutes = this.cell(from.index, to.index, hour);
      return minutes === null ? null : minutes * 60;
    });
    const known = times.filter((seconds) => seconds !== null);
    const minutes = this.cell(from.index, to.index);
    const step = (place) => element("button", { type: "button", class: "plain", onclick: () => { this.picked = null; this.pick(place); } }, place.role === "origin" ? `All trips from ${place.name}` : `All trips to ${place.name}`);
    this.explorer.repaint();
    this.explorer.card(() => this.leave(),
      element("h2", {}, `${from.name} → ${to.name}`),
      element("p", { class: "large" }, minutes === null ? "no route" : this.told(minutes * 60)),
      element("p", { class: "soft" }, `In whole minutes${hours.length ? `, ${moment(hours[this.hour])}` : ""}.`),
      ...[sparkline(times, this.hour, {
        label: known.length ? `${axisOf(hours[0])}: ${this.told(Math.min(...known))} to ${this.told(Math.max(...known))}` : "", pick: null,
        told: (hour) => `${moment(hours[hour])}: ${this.told(times[hour])}`,
      })].filter(Boolean),
      element("p", {}, step(from)), element("p", {}, step(to)));
    this.explorer.say(`${from.name} → ${to.name}: ${minutes === null ? "no route" : this.told(minutes * 60)}`);
  }

  /** Returns to all origins. */
  leave() {
    [this.picked, this.one] = [null, null];
    this.list.select(-1);
    this.change();
    this.explorer.say("all origins");
  }

  described(place) {
    const isOwn = (other) => (place.role === "origin" ? this.own[place.index] === other.index : this.own[other.index] === place.index);
    const others = (place.role === "origin" ? this.destinations : this.origins).filter((other) => !isOwn(other));
    const reached = others.map((other) => [other, this.values.get(other)]).filter(([, value]) => typeof value === "number").sort((a, b) => a[1] - b[1]);
    const isKnown = place.role !== "origin" || this.rowOf.has(place.index);
    const instead = this.wanted !== place ? element("p", { class: "soft" }, `The page does not have the trips of ${this.wanted.name}; this is the nearest origin with trips.`) : null;
    const title = element("h2", {}, place.role === "origin" ? `From ${place.name}` : `To ${place.name}`);
    if (!isKnown) return [title, element("p", {}, "The page does not have the trips of this origin.")];
    const rows = reached.slice(0, 20).map(([other, value]) => [element("button", { type: "button", class: "plain", onclick: () => this.pickCell(other) }, other.name), this.told(value)]);
    return [
      title, ...(instead ? [instead] : []),
      element("p", {}, `${decimal(reached.length)} of ${decimal(others.length)} ${place.role === "origin" ? "destinations are reached" : "origins reach it"}${this.matrix.hours.length ? ` at ${moment(this.matrix.hours[this.hour])}` : ""}, in whole minutes.`),
      element("div", { class: "scroll" }, tableOf("The nearest", [place.role === "origin" ? "destination" : "origin", "#time"], rows, { class: "nearest" })),
    ];
  }
}

kinds.matrix = (explorer, data) => new MatrixMap(explorer, data);
