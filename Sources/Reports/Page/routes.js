/**
 * A list of all pairs, and the picked pair with its line and its steps, each of which can be shown on the map.
 *
 * `data.pairs` has columns with one value per row: `id`, `from`, `to`, `time` (s), `distance` (m), `detour`, `reason` (an
 * index into `reasons`, 0 if there is a route, and into `statuses`, the database's status and reason), `leg`, `departure`,
 * and `hour` (an index into `hours`, the job's hours as text). `ends` has the points of both ends of all rows as one line.
 *
 * `data.routes` has the routes of some rows: `{ row, routes: [{ line, time, distance, name, notices, steps, heights, ascent,
 * descent }] }`, the best route first. Only jobs with elevations have the last three: `heights` (m) for each point, `ascent`
 * and `descent` (m). A step is `[instruction, notice, metres, seconds, first point, last point, maneuver]`, followed by
 * `[line, color, text color]` if it is a ride (colours as "#0067B1", or null). `data.flows` is described at `Flows`.
 */
class RouteMaster {
  static mostStraight = 500;
  /** If there are more straight lines, and nothing else to show, about this many pairs have their lines drawn. */
  static sampled = 300;
  /** The opacity of the other pairs while one is picked: their lines are darker than streets. */
  static faint = 0.45;
  /** The approximate distance in pixels between marks of pairs without an answer. */
  static missingPitch = 12;
  /** If more pairs have no answer, their marks are hidden at first, since they would cover the results. */
  static mostMissing = 300;

  constructor(explorer, data) {
    const pairs = data.pairs;
    this.explorer = explorer;
    this.data = data;
    this.count = pairs.from.length;
    this.ends = decoded(pairs.ends)[0] ?? new Float64Array();
    this.routes = new Map((data.routes ?? []).map((entry) => [entry.row, entry.routes]));
    this.scale = data.scale;
    this.picked = -1;
    // A departure that all pairs share does not tell them apart.
    this.hasHours = new Set(pairs.departure ?? []).size > 1;
    this.hasDays = new Set((pairs.departure ?? []).filter(Boolean).map((text) => text.slice(0, 10))).size > 1;
    const lines = (this.lines = []);
    for (let row = 0; row < this.count; row++) {
      const stored = this.routes.get(row)?.[0];
      const parts = stored ? decoded(stored.line) : [this.ends.subarray(row * 4, row * 4 + 4)];
      lines.push({ row, parts, box: boxAround(parts), isStored: Boolean(stored), shade: this.shade(row) });
    }
    explorer.frameOf(lines.filter(({ shade }) => shade >= 0).flatMap(({ parts }) => parts));
    // Short trips lie above long ones.
    this.byLength = [...lines].sort((a, b) => (pairs.time[b.row] ?? 0) - (pairs.time[a.row] ?? 0));
    // If most pairs have a row at each hour, the list and the map show only the hour of a slider.
    const trips = new Set(lines.map(({ row }) => this.key(row)));
    if (pairs.hours && this.count * 2 > trips.size * pairs.hours.length) {
      [this.departures, this.at] = [pairs.hours, 0];
      explorer.addHours(this.departures, (at) => this.move(at), "mean time", (at) => mean(pairs.time.filter((_, row) => pairs.hour[row] === at)));
    }
    this.missing = lines.filter((line) => pairs.reason[line.row] !== 0);
    // The number of routes on each street says more than lines on top of each other.
    const showsFlows = Boolean(data.flows?.isShown);
    if (data.flows) {
      this.flows = new Flows(explorer, data.flows);
      if (!showsFlows) explorer.show(this.flows.layer, false);
    }
    // Many straight lines are a tangle. With a slider, only the lines of one hour are drawn.
    const mostStraight = RouteMaster.mostStraight * (this.departures?.length ?? 1);
    const straight = this.byLength.filter((line) => !line.isStored && line.shade >= 0);
    if (straight.length)
      this.add(explorer, this.routes.size ? "straight lines of other pairs" : "straight lines", straight, !showsFlows && straight.length <= mostStraight);
    if (straight.length > mostStraight && !this.routes.size && !showsFlows) {
      const every = Math.ceil(trips.size / RouteMaster.sampled);
      const drawn = new Set([...trips].filter((_, index) => index % every === 0));
      this.sample = this.add(explorer, `straight lines of one in ${decimal(every)} pairs`, straight.filter(({ row }) => drawn.has(this.key(row))), true);
    }
    if (this.routes.size) this.add(explorer, "routes", this.byLength.filter((line) => line.isStored), !showsFlows);
    if (this.missing.length) this.addMissing(explorer);
    this.one = explorer.add({ name: "picked", paint: (context, tile) => this.paintPicked(context, tile) });
    explorer.onShow = () => this.legend();
    this.legend();
    if (pairs.leftOut) explorer.note(pairs.leftOut);
    const answered = pairs.reason.filter((reason) => reason === 0).length;
    const isMany = showsFlows || straight.length > mostStraight;
    if (data.kind === "etas" && !this.routes.size && straight.length)
      explorer.note(`Lines are straight: a job of kind etas computes no routes.${isMany ? " The box above the map shows all of them; select a pair in the list to see its line." : ""}`);
    else if (straight.length) explorer.note(`${decimal(this.routes.size)} of ${decimal(answered)} routes are in the page with their lines and steps; the others are straight lines: odometer report FOLDER --pair ID --output FILE writes a page for any of them.`);

    const listsHours = this.hasHours && !this.departures;
    // Per cent of the list's width: short ids leave more room for the names.
    const wide = pairs.id.every((id) => String(id).length < 6) ? 14 : 20;
    this.list = new PickList({
      caption: "All pairs", count: this.count, order: listsHours ? 3 : 2, descends: true, pick: (row) => this.pick(row), among: (row) => this.isNow(row),
      search: (row) => `${pairs.id[row]} ${this.title(row)} ${this.timeText(row)}`,
      columns: [
        { title: "pair", text: (row) => String(pairs.id[row]), value: (row) => String(pairs.id[row]), width: wide },
        { title: "from → to", text: (row) => this.title(row, false), value: (row) => this.title(row), hasEnds: true, width: 56 - wide },
        ...(listsHours ? [{ title: pairs.departure.some((text) => text?.startsWith("percentile ")) ? "percentile" : "hour", text: (row) => this.hour(row), value: (row) => pairs.departure[row] ?? null, width: 20 }] : []),
        { title: "time", isNumber: true, text: (row) => this.timeText(row), value: (row) => pairs.time[row], width: 24 },
        ...(listsHours ? [] : [{ title: "detour", isNumber: true, text: (row) => decimal(pairs.detour[row], 2), value: (row) => pairs.detour[row], width: 20 }]),
      ],
    });
    // The page of one pair needs no list.
    if (this.count > 1) {
      explorer.addList(this.list);
      const known = (name) => (row) => (pairs.reason[row] === 0 ? pairs[name][row] : null);
      addBrushes(explorer, { expected_travel_time: known("time"), distance: known("distance"), detour: known("detour") }, Boolean(pairs.leftOut), (isMarked) => this.showLines(isMarked));
    }
    explorer.take = new Take(explorer, {
      word: "pair", table: "route", id: "pair_id", where: "alternative = 0", picked: () => pairs.id[this.picked],
      hour: (row) => (this.departures ? this.departures[pairs.hour[row]] : pairs.departure?.[row]), isByHour: !this.departures, hasHours: this.hasHours,
      columns: ["pair_id", ...(pairs.leg ? ["leg"] : []), "origin", "destination", "expected_travel_time", "distance", "detour", "status", "reason"],
      row: (row) => [pairs.id[row], ...(pairs.leg ? [pairs.leg[row]] : []), pairs.from[row], pairs.to[row], pairs.time[row], pairs.distance[row], pairs.detour[row], ...pairs.statuses[pairs.reason[row]]],
      geometry: (row) => lineGeometry(lines[row].parts), geometryIs: (row) => (lines[row].isStored ? "route" : "straight line"),
    });
    if (this.count === 1) this.pick(0);
  }

  /** Adds a layer with the lines of some pairs, which the user can hide. */
  add(explorer, name, lines, isShown) {
    const layer = explorer.add({
      name, toggle: true, isLines: true,
      paint: (context, tile) => this.paint(context, tile, lines),
      find: (x, y, reach) => this.find(x, y, reach, lines),
      pick: (found) => this.pick(found.row, { zooms: false }),
    });
    if (!isShown) explorer.show(layer, false);
    return layer;
  }

  /** Adds the ends of pairs without an answer: small marks under the lines, only one of several close together. */
  addMissing(explorer) {
    const marks = this.missing.flatMap(({ row, parts: [part] }) => [0, 2].map((i) => ({ row, x: part[i], y: part[i + 1] })));
    this.missingLayer = explorer.add({
      name: "pairs without an answer", toggle: true, isBelow: true,
      paint: (context, tile) => {
        // Squares are counted from the corner of the world, so they continue across tiles.
        const square = (value, first) => Math.floor((value - first) / RouteMaster.missingPitch);
        const shown = new Map();
        for (const mark of marks) {
          if (!meets([mark.x, mark.y, mark.x, mark.y], tile.box) || !this.isListed(mark.row)) continue;
          const key = `${square(tile.x(mark.x), tile.x(0))} ${square(tile.y(mark.y), tile.y(0))}`;
          if (!shown.has(key)) shown.set(key, { ...mark, color: colors.of("--none") });
        }
        paintMarks(context, tile, shown.values(), { radius: 2.5, rim: 1.5 });
      },
      find: (x, y, reach) => {
        const mark = nearestPoint(marks.filter(({ row }) => this.isListed(row)), x, y, reach);
        return mark && { row: mark.row, text: `${this.title(mark.row)}: ${this.data.pairs.reasons[this.data.pairs.reason[mark.row]]}` };
      },
      pick: (found) => this.pick(found.row, { zooms: false }),
    });
    if (this.missing.length > RouteMaster.mostMissing * (this.departures?.length ?? 1)) explorer.show(this.missingLayer, false);
  }

  /** Shows the lines of a marked range instead of the flows, which count all pairs, and of the sampled lines; without a range, restores all layers. */
  showLines(isMarked) {
    const { explorer, flows } = this;
    const others = [flows?.layer, this.sample].filter(Boolean);
    if (isMarked && others.some((layer) => !layer.isHidden)) {
      this.before = explorer.layers.filter((layer) => layer.isLines || others.includes(layer)).map((layer) => [layer, !layer.isHidden]);
      for (const [layer] of this.before) explorer.show(layer, !others.includes(layer));
    } else if (!isMarked && this.before) {
      for (const [layer, isShown] of this.before) explorer.show(layer, isShown);
      this.before = null;
    }
  }

  /** Returns a key that is the same for the rows of a pair at all hours. */
  key(row) { return `${this.data.pairs.id[row]} ${this.data.pairs.leg?.[row]}`; }

  /** Whether a row is of the slider's hour. */
  isNow(row) { return !this.departures || this.data.pairs.hour[row] === this.at; }

  /** Shows the rows of another hour. */
  move(at) {
    this.at = at;
    const { range } = this.explorer;
    // Setting the text again counts the rows in the marked range.
    if (range?.text) range.text = range.text;
    else this.list.filter();
    this.explorer.repaint();
    const row = this.picked < 0 ? undefined : this.atHours(this.picked).find((other) => this.isNow(other));
    if (row !== undefined) this.pick(row, { zooms: false });
  }

  /** Whether a row is of the slider's hour, and in the marked range of a histogram. */
  isListed(row) { return this.list ? this.list.has(row) : this.isNow(row); }

  shade(row) {
    const { time, reason } = this.data.pairs;
    return reason[row] !== 0 || time[row] === null ? -1 : shadeOf(time[row], this.scale);
  }

  timeText(row) { return this.data.pairs.reason[row] === 0 ? duration(this.data.pairs.time[row]) : "no answer"; }
  /** The hour of a row, with its date if the page has several dates. */
  hour(row) {
    const text = this.data.pairs.departure[row] ?? "–";
    if (text.startsWith("percentile ")) return text.slice(11);
    if (!/^\d{4}-\d\d-\d\dT/.test(text)) return text;
    return this.hasDays ? moment(text).replace(/^\w+ | \d{4},/g, "") : text.slice(11, 16);
  }

  title(row, withHour = this.hasHours) {
    const { from, to, leg, departure } = this.data.pairs;
    return `${from[row]} → ${to[row]}${leg ? `, leg ${leg[row]}` : ""}${withHour && departure[row] ? `, ${moment(departure[row])}` : ""}`;
  }

  legend() {
    const isTimed = this.explorer.layers.some((layer) => layer.isLines && !layer.isHidden);
    if (this.picked >= 0) {
      const line = (color, text) => ({ color, text, shape: "line" });
      const others = [this.others.length && line("--soft", "its other routes"), isTimed && this.count > 1 && { ...line("--ink", "other pairs"), part: RouteMaster.faint }];
      const rides = (this.route?.steps ?? []).flatMap(({ 7: ride }) => (ride ? [line(ride[1] ?? "--accent", ride[0])] : []));
      const own = rides.length ? "on foot" : this.route ? duration(this.route.time) : this.timeText(this.picked);
      this.explorer.legend([line("--accent", own), ...rides, ...others.filter(Boolean)], `Pair ${this.data.pairs.id[this.picked]}`);
      return;
    }
    const isFlowing = Boolean(this.flows && !this.flows.layer.isHidden);
    const ends = this.missingLayer && !this.missingLayer.isHidden ? [{ color: "--none", text: "ends of a pair without an answer", shape: "ring" }] : [];
    if (isFlowing && !isTimed) { this.explorer.legend([...this.flows.legend(), ...ends], `${this.flows.unit} on each street`.replace(/^./, (first) => first.toUpperCase()), false); return; }
    const items = [...inUse(classesOf(this.scale, "line", duration), this.lines.map(({ shade }) => shade), (shade) => shade), ...ends];
    this.explorer.legend(isFlowing ? [...this.flows.legend(), ...items] : items, isFlowing ? `Widths: ${this.flows.unit} on each street; colours: travel time` : "Travel time");
  }

  paint(context, tile, lines) {
    // While a pair is picked, all others are hairlines.
    const isOne = this.picked >= 0;
    context.globalAlpha = isOne ? RouteMaster.faint : 0.75;
    const width = isOne ? 1 : lines.length > 300 * (this.departures?.length ?? 1) ? 1.2 : 3;
    for (const line of lines) {
      if (!meets(line.box, tile.box) || !this.isListed(line.row)) continue;
      context.setLineDash(line.isStored || !this.routes.size ? [] : [3, 5]);
      stroke(context, tile, line.parts, colors.of(isOne ? "--ink" : `--c${line.shade}`), line.isStored ? width : width / 2);
    }
    context.setLineDash([]);
    context.globalAlpha = 1;
  }

  find(x, y, reach, lines) {
    const line = nearestLine(lines, x, y, reach, ({ row }) => this.isListed(row));
    return line && { row: line.row, text: `${this.title(line.row)}: ${this.timeText(line.row)}` };
  }

  /** Shows one route of a pair, on the map and step by step. */
  pick(row, { route = 0, zooms = true } = {}) {
    if (!this.isNow(row)) setControl(this.explorer.slider, this.data.pairs.hour[row]);
    this.picked = row;
    this.route = this.routes.get(row)?.[route] ?? null;
    [this.step, this.spot] = [null, null];
    this.parts = this.route ? decoded(this.route.line) : this.lines[row].parts;
    this.others = (this.routes.get(row) ?? []).filter((other) => other !== this.route).map((other) => decoded(other.line));
    if (this.list.picked !== row) this.list.select(row);
    if (this.flows) this.flows.isFaint = true;
    this.legend();
    this.explorer.nameBeside(this.parts);
    this.explorer.repaint();
    this.explorer.card(() => this.leave(), ...this.described(row, route));
    // After the card is shown, since it makes the map of a single pair narrower.
    if (zooms) this.explorer.fit(boxAround(this.parts));
    this.explorer.say(`${this.title(row)}: ${this.timeText(row)}`);
  }

  /** Returns to all pairs. */
  leave() {
    this.picked = -1;
    if (this.flows) this.flows.isFaint = false;
    this.list.select(-1);
    this.explorer.nameBeside([]);
    this.legend();
    this.explorer.repaint();
  }

  paintPicked(context, tile) {
    if (this.picked < 0) return;
    for (const parts of this.others) strokeWithRim(context, tile, parts, colors.of("--soft"), 3);
    (this.route ? strokeWithRim : strokeDashed)(context, tile, this.parts, colors.of("--accent"), 5);
    // Rides have the colours of their lines.
    for (const [, , , , from, to, , ride] of this.route?.steps ?? []) {
      if (ride) strokeWithRim(context, tile, [this.parts[0].subarray(from * 2, (to + 1) * 2)], ride[1] ?? colors.of("--accent"), 6);
    }
    if (this.step) strokeWithRim(context, tile, this.step, colors.of("--alert"), 6);
    if (this.spot) paintMarks(context, tile, [{ ...this.spot, color: colors.of("--alert") }], { radius: 6 });
    const end = this.ends.subarray(this.picked * 4, this.picked * 4 + 4);
    paintMarks(context, tile, [
      { x: end[0], y: end[1], color: colors.of("--accent") },
      { x: end[2], y: end[3], color: colors.of("--paper"), fill: colors.of("--accent") },
    ], { radius: 7 });
  }

  described(row, chosen) {
    const { pairs } = this.data;
    const routes = this.routes.get(row) ?? [];
    const [time, distance] = this.route ? [this.route.time, this.route.distance] : [pairs.time[row], pairs.distance[row]];
    const facts = pairs.reason[row] === 0
      ? [duration(time), length(distance), pairs.detour[row] ? `${decimal(pairs.detour[row], 2)} times the straight line` : null, this.route?.name, this.hasHours ? null : moment(pairs.departure?.[row])]
      : [pairs.reasons[pairs.reason[row]]];
    const end = (index) => wrapped(this.ends.subarray(row * 4 + index, row * 4 + index + 2));
    const parts = [
      element("h2", {}, this.title(row), element("small", { class: "soft" }, ` pair ${pairs.id[row]}`)),
      element("p", {}, facts.filter(Boolean).join(" · ")),
      element("p", {}, "Open in: ", tripLinks(end(0), end(2), this.data.mode).flatMap(([name, href], index) => [index ? " · " : "", element("a", { href, rel: "noopener noreferrer" }, name)])),
      this.hours(row),
    ].filter(Boolean);
    if (routes.length > 1) {
      parts.push(element("div", { class: "choice", role: "group", "aria-label": "Routes" }, routes.map((route, index) =>
        element("button", { type: "button", "aria-pressed": String(index === chosen), onclick: () => this.pick(row, { route: index }) },
          index === 0 ? `best: ${duration(route.time)}, ${length(route.distance)}` : this.difference(route, routes[0])))));
    }
    if (!this.route) {
      const why = this.data.kind === "etas" ? "Kind etas computes no routes; use odometer report FOLDER --pair ID --output FILE." : "The page does not have the line of this route; odometer report FOLDER --pair ID --output FILE writes a page with it.";
      if (pairs.reason[row] === 0) parts.push(element("p", { class: "soft" }, why));
      return parts;
    }
    if (this.route.notices) parts.push(element("p", { class: "notice" }, this.route.notices));
    if (this.route.heights?.some((height) => height !== null)) parts.push(this.profile());
    parts.push(this.steps(), this.files(row));
    return parts;
  }

  /** A picture of the elevation along the route. */
  profile() {
    const [line] = this.parts;
    const { heights, ascent, descent, distance } = this.route;
    // Distances along the line in map units, as shares of the route's length.
    const along = heights.map(() => 0);
    for (let i = 1; i < heights.length; i++)
      along[i] = along[i - 1] + Math.hypot(line[i * 2] - line[i * 2 - 2], line[i * 2 + 1] - line[i * 2 - 1]);
    const known = heights.filter((height) => height !== null);
    const [low, high] = [Math.min(...known), Math.max(...known)];
    const [width, height] = [600, 90];
    // Level ground stays level: at least 10 m from bottom to top.
    const scale = (height - 20) / Math.max(high - low, 10);
    const points = heights.map((value, i) => value === null ? null
      : `${((along[i] / (along.at(-1) || 1)) * width).toFixed(1)},${(height - 5 - (value - low) * scale).toFixed(1)}`).filter(Boolean);
    const show = (event) => {
      const { left, width: wide } = picture.getBoundingClientRect();
      const part = Math.min(Math.max((event.clientX - left) / wide, 0), 1) * (along.at(-1) || 0);
      const index = Math.max(0, along.findIndex((far) => far >= part));
      this.spot = { x: line[index * 2], y: line[index * 2 + 1] };
      told.textContent = heights[index] === null ? text : `${decimal(heights[index])}${noBreak}m above sea level, ${length(distance * (along[index] / (along.at(-1) || 1)))} from the start`;
      this.explorer.repaint(this.one);
    };
    const text = `${decimal(ascent)}${noBreak}m up, ${decimal(descent)}${noBreak}m down, between ${decimal(low)} and ${decimal(high)}${noBreak}m above sea level`;
    const picture = drawing("svg", { class: "profile", viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": `Heights along ${length(distance)}: ${text}` },
      drawing("polygon", { points: `0,${height} ${points.join(" ")} ${width},${height}`, fill: "var(--accent)", "fill-opacity": "0.25" }),
      drawing("polyline", { points: points.join(" "), fill: "none", stroke: "var(--accent)", "stroke-width": "2", "vector-effect": "non-scaling-stroke" }));
    const told = element("figcaption", { class: "soft" }, text);
    picture.addEventListener("pointermove", show);
    picture.addEventListener("pointerleave", () => { [this.spot, told.textContent] = [null, text]; this.explorer.repaint(this.one); });
    return element("figure", { class: "heights" }, picture, told);
  }

  /** An alternate compared with the best route: "+4 min, −2 km". */
  difference(route, best) {
    const signed = (value, told) => `${value < 0 ? "−" : "+"}${told(Math.abs(value))}`;
    return `${signed(route.time - best.time, duration)}, ${signed(route.distance - best.distance, length)}`;
  }

  atHours(row) { return this.lines.map((line) => line.row).filter((other) => this.key(other) === this.key(row)); }

  /** A chart of the pair's times at all hours. */
  hours(row) {
    const { departure, reason, time } = this.data.pairs;
    if (!departure) return null;
    const rows = this.atHours(row);
    const times = rows.map((other) => (reason[other] === 0 ? time[other] : null));
    const known = times.filter((seconds) => seconds !== null);
    return sparkline(times, rows.indexOf(row), {
      label: `${axisOf(departure[row])}: ${duration(Math.min(...known))} to ${duration(Math.max(...known))}`, pick: (index) => this.pick(rows[index], { zooms: false }),
      told: (index) => `${moment(departure[rows[index]])}: ${duration(times[index])}`,
    });
  }

  /** Buttons that save the route as a file. */
  files(row) {
    const { pairs } = this.data;
    const name = `${this.title(row)} (pair ${pairs.id[row]})`;
    const save = (ending, type, text) => this.explorer.take?.save(ending, type, text(), `route-${pairs.id[row]}`);
    const geojson = () => JSON.stringify({ type: "Feature", properties: { pair_id: pairs.id[row], name, distance: this.route.distance, expected_travel_time: this.route.time }, geometry: lineGeometry(this.parts) });
    return element("p", { class: "take" },
      element("button", { type: "button", title: "Save this route for a navigation device", onclick: () => save("gpx", "application/gpx+xml", () => gpxOf(name, this.parts[0], this.route)) }, "GPX"),
      element("button", { type: "button", title: "Save this route", onclick: () => save("geojson", "application/geo+json", geojson) }, "GeoJSON"));
  }

  /** A list of the steps; a click shows a step on the map. */
  steps() {
    const [line] = this.parts;
    const items = this.route.steps.map(([instruction, notice, distance, time, from, to, maneuver, ride]) => {
      const part = line.subarray(from * 2, Math.min(line.length, (to + 1) * 2));
      const told = time === undefined || time === null ? length(distance) : `${length(distance)} · ${duration(time)}`;
      const badge = ride && element("span", { class: "line", style: ride[1] ? `background:${ride[1]};color:${legible(ride[1], ride[2] ?? "#ffffff")}` : null }, ride[0]);
      const light = (parts) => () => { this.step = parts; this.explorer.repaint(this.one); };
      return element("li", { onmouseenter: light([part]), onmouseleave: light(null) }, badge ?? maneuverIcon(maneuver),
        element("button", { type: "button", class: "plain", onclick: () => this.showStep(part, instruction) }, instruction),
        element("span", { class: "soft far" }, told), notice ? element("p", { class: "notice" }, notice) : null);
    });
    return element("ol", { class: "steps" }, items);
  }

  showStep(part, instruction) {
    this.step = [part];
    this.explorer.fit(boxAround([part]));
    this.explorer.repaint(this.one);
    this.explorer.say(instruction);
  }
}

kinds.routes = kinds.etas = (explorer, data) => new RouteMaster(explorer, data);
