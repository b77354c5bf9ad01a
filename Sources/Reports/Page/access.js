/**
 * A map of origins, coloured by the time to their nearest station: as polygons of the input, as cells of a grid, as hexagons of the
 * same size in pixels at every zoom, or one by one. Origins without a station are drawn in a separate style.
 *
 * `data.access` has columns of origins: `points`; by hour, `seconds` and the index of the `nearest` station; `reason`, an
 * index into `reasons` and `statuses`, the status in the database; and `weight`. `limit` is the limit of trips in
 * seconds, or null. `listed` has the indices of the origins in the list, with their `names`, `ids` and, at the hour shown
 * first, the `next` stations. `stations` have `lines` and `services`: the weight, or the number of origins, that reaches
 * the station within each of the `thresholds`, and the part of it for which this station is the nearest. `data.servicesNote`
 * says at which hours or percentile.
 */
class AccessMap {
  constructor(explorer, data) {
    const access = data.access;
    Object.assign(this, { explorer, access, scale: data.scale, servicesNote: data.servicesNote, hour: 0, picked: -1, station: -1, bins: new Map() });
    const points = decoded(access.points)[0] ?? new Float64Array();
    this.count = access.reason.length;
    this.origins = Array.from({ length: this.count }, (_, index) => ({ index, x: points[index * 2], y: points[index * 2 + 1] }));
    this.nameOf = new Map(access.listed.map((origin, row) => [origin, access.names[row]]));
    this.stations = placesOf(access.stations).map((station) => ({ ...station, lines: access.lines[station.index] }));
    // Stations outside the map or without a street have no catchment.
    this.known = this.stations.filter(({ ok }) => ok);
    this.lattice = latticeOf(this.origins);
    explorer.frameOf([points, ...this.known.map(({ x, y }) => Float64Array.of(x, y))], this.lattice?.radius);
    // Only some origins may have polygons in the input.
    const { areas } = explorer.backdrop;
    this.areas = access.listed.flatMap((origin, row) => (areas.has(String(access.ids[row])) ? [{ index: origin, ...areas.get(String(access.ids[row])) }] : []));
    this.choice = element("select", { "aria-label": "How origins are drawn", onchange: () => this.change() },
      this.areas.length ? element("option", { value: "areas", selected: true }, "polygons of the input") : null,
      this.lattice ? element("option", { value: "cells", selected: !this.areas.length }, "cells") : null,
      element("option", { value: "hexagons", selected: !this.lattice && !this.areas.length && this.count > 200 }, "hexagons"), element("option", { value: "origins", selected: !this.lattice && !this.areas.length && this.count <= 200 }, "every origin"));
    explorer.controls.append(element("label", {}, "Draw: ", this.choice));
    if (access.hours.length > 1) this.addSlider();
    explorer.add({ name: "origins", paint: (context, tile) => this.paint(context, tile), find: (x, y, reach) => this.find(x, y, reach), pick: (found) => found.origin && this.pick(found.origin.index) });
    explorer.add({ name: access.noun, toggle: true, paint: (context, tile) => this.paintStations(context, tile), find: (x, y, reach) => this.findStation(x, y, reach), pick: ({ station }) => this.pickStation(station.index) });
    // Stations without a name, which have their id instead, get no label.
    explorer.addNames(this.known.filter(({ id, name }) => name !== String(id)).slice(0, 2000), this.stations.length > 60 ? 14 : 12);
    explorer.map.on("zoomend", () => this.bins.clear());
    if (access.leftOut) explorer.note(access.leftOut);
    const all = this.count ? Math.max(...access.seconds.flat().filter((seconds) => seconds !== null), 60) : 60;
    this.limit = Infinity;
    // The last position of the slider is the limit, or any time.
    this.moveMinutes = explorer.addMinutes(Math.ceil(Math.min(all, 2 * (this.scale.at(-2) ?? this.scale.at(-1)) + 60, (access.limit ?? Infinity) - 60) / 60), (minutes) => this.within(minutes));
    this.addList();
    explorer.take = new Take(explorer, {
      word: "origin", table: "access", id: "origin_id", where: "rank <= 1", hour: () => access.hours[this.hour], picked: () => access.ids[access.listed.indexOf(this.picked)],
      columns: ["origin_id", "name", "station_id", "expected_travel_time", "status", "weight"],
      row: (row) => {
        const origin = access.listed[row];
        return [access.ids[row], access.names[row], this.stations[access.nearest[this.hour][origin]]?.id, this.seconds(origin), this.status(origin), access.weight?.[origin]];
      },
      geometry: (row) => pointGeometry(this.origins[access.listed[row]].x, this.origins[access.listed[row]].y),
    });
    this.change();
  }

  addSlider() {
    const { hours } = this.access;
    this.explorer.addHours(hours, (hour) => {
      this.hour = hour;
      this.list.sort();
      this.moveMinutes();
      this.change();
      if (this.picked >= 0) this.describe();
      if (this.station >= 0) this.describeStation();
    }, "mean time to the nearest", (hour) => mean(this.access.seconds[hour]));
  }

  /** Hides origins beyond some minutes (null: none); returns a text with the share of the others at this hour. */
  within(minutes) {
    this.limit = minutes === null ? Infinity : minutes * 60;
    const share = this.share();
    this.explorer.repaint();
    return `${minutes === null && !this.access.limit ? "any time" : limitText(Math.min(this.limit, this.access.limit ?? Infinity))}: ${percent(share)} of ${this.access.weight ? this.access.unit : "origins"}`;
  }

  /** The share of the origins, or of their weight, with a station within the limit. */
  share() {
    let [within, all] = [0, 0];
    for (let origin = 0; origin < this.count; origin++) {
      const [seconds, weight] = [this.seconds(origin), this.weight(origin)];
      all += weight;
      if (seconds !== null && seconds <= this.limit) within += weight;
    }
    return all > 0 ? within / all : NaN;
  }

  /** Whether an origin is drawn: if a station is picked, only if that station is its nearest. */
  isLit(origin) { return this.station < 0 || this.access.nearest[this.hour][origin] === this.station; }

  seconds(origin) { return this.access.seconds[this.hour][origin] ?? null; }
  weight(origin) { return this.access.weight ? this.access.weight[origin] : 1; }
  shade(seconds) { return shadeOf(seconds, this.scale); }

  change() {
    this.bins.clear();
    const isBinned = this.choice.value === "hexagons";
    const what = this.choice.value === "origins" ? "dot" : "area";
    const times = classesOf(this.scale, what, limitText);
    const isServed = this.access.seconds[this.hour].every((seconds) => seconds !== null);
    this.explorer.legend([
      // A mean may be in a class without origins.
      ...(isBinned ? times : inUse(times, this.access.seconds.flat(), (seconds) => this.shade(seconds))),
      ...(isServed ? [] : [{ color: "--none", text: `origin without ${this.access.noun === "stations" ? "a station" : this.access.noun}`, shape: "hatch" }]),
      { color: "--station", text: this.access.noun, shape: "ring" },
    ], `Travel time to the nearest of the ${this.access.noun}`);
    this.explorer.live.textContent = isBinned ? `hexagons: mean time${this.access.weight ? ", weighted" : ""}` : this.choice.value === "areas" ? "polygons of the input" : "every origin";
    this.explorer.repaint();
  }

  /** Hexagons of the same size in pixels at every zoom, each with the weighted mean time of its origins. */
  hexagons(zoom) {
    if (this.bins.has(zoom)) return this.bins.get(zoom);
    const size = 11 / (256 * 2 ** zoom);
    const [wide, high] = [size * Math.sqrt(3), size * 1.5];
    const bins = new Map();
    for (const { index, x, y } of this.origins) {
      const seconds = this.seconds(index);
      if (seconds === null || !this.isLit(index)) continue;
      // The nearest centre, one candidate per row: the centres of odd rows are shifted by half a hexagon.
      let row = Math.round(y / high);
      let column = Math.round(x / wide - (row & 1) / 2);
      let best = [row, column, Infinity];
      for (const r of [row - 1, row, row + 1]) {
        const c = Math.round(x / wide - (r & 1) / 2);
        const distance = ((c + (r & 1) / 2) * wide - x) ** 2 + (r * high - y) ** 2;
        if (distance < best[2]) best = [r, c, distance];
      }
      [row, column] = best;
      const key = row * 2 ** 26 + column;
      if (!bins.has(key)) bins.set(key, { x: (column + (row & 1) / 2) * wide, y: row * high, sum: 0, weight: 0, plain: 0, count: 0 });
      const bin = bins.get(key);
      const weight = this.weight(index);
      bin.sum += seconds * weight;
      bin.weight += weight;
      bin.plain += seconds;
      bin.count++;
    }
    const made = [...bins.values()].map((bin) => ({ ...bin, seconds: bin.weight > 0 ? bin.sum / bin.weight : bin.plain / bin.count }));
    this.bins.set(zoom, made);
    return made;
  }

  paint(context, tile) {
    if (this.choice.value === "hexagons") {
      context.globalAlpha = 0.7;
      for (const bin of this.hexagons(tile.zoom)) {
        if (bin.seconds > this.limit || !meets([bin.x, bin.y, bin.x, bin.y], tile.box)) continue;
        const [x, y, radius] = [tile.x(bin.x), tile.y(bin.y), 10.6];
        context.beginPath();
        for (let corner = 0; corner < 6; corner++) {
          const angle = (Math.PI / 3) * corner + Math.PI / 6;
          context.lineTo(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
        }
        context.fillStyle = colors.of(`--c${this.shade(bin.seconds)}`);
        context.fill();
      }
      context.globalAlpha = 1;
    }
    if (this.choice.value === "areas") this.paintAreas(context, tile);
    if (this.choice.value === "cells") {
      paintCells(context, tile, this.lattice, this.origins, ({ index }) => {
        const seconds = this.seconds(index);
        return !this.isLit(index) ? undefined : seconds === null ? null : seconds > this.limit ? undefined : this.shade(seconds);
      });
      this.explorer.backdrop.paintAbove(context, tile);
      this.paintPicked(context, tile);
      return;
    }
    const drawn = new Set(this.choice.value === "areas" ? this.areas.map(({ index }) => index) : []);
    const radius = this.count < 300 ? 6 : this.count < 3000 ? 4.5 : 2.5;
    for (const origin of this.origins) {
      if (drawn.has(origin.index) || !this.isLit(origin.index)) continue;
      const seconds = this.seconds(origin.index);
      if (seconds !== null && (this.choice.value === "hexagons" || seconds > this.limit)) continue;
      paintDot(context, tile, origin, radius, () => (seconds === null ? null : colors.of(`--c${this.shade(seconds)}`)));
    }
    this.paintPicked(context, tile);
  }

  paintPicked(context, tile) {
    const picked = this.origins[this.picked];
    const station = this.stations[picked ? this.access.nearest[this.hour][this.picked] : this.station];
    if (picked && station) strokeDashed(context, tile, [Float64Array.of(picked.x, picked.y, station.x, station.y)], colors.of("--accent"), 3);
    if (station) paintMarks(context, tile, [{ ...station, color: colors.of("--paper"), fill: colors.of("--accent") }], { radius: 8 });
    if (picked) paintMarks(context, tile, [{ ...this.origins[this.picked], color: colors.of("--accent") }], { radius: 8 });
  }

  paintAreas(context, tile) {
    context.globalAlpha = 0.7;
    for (const { index, parts, box } of this.areas) {
      const seconds = this.seconds(index);
      if (!meets(box, tile.box) || seconds > this.limit || !this.isLit(index)) continue;
      context.beginPath();
      trace(context, tile, parts);
      if (seconds === null) { fillNone(context, "evenodd"); continue; }
      context.fillStyle = colors.of(`--c${this.shade(seconds)}`);
      context.fill("evenodd");
      [context.strokeStyle, context.lineWidth] = [colors.of("--land"), 1];
      context.stroke();
    }
    context.globalAlpha = 1;
  }

  paintStations(context, tile) {
    // At low zoom levels, many rings would hide the map.
    if (tile.zoom < (this.known.length > 400 ? 15 : 13) && this.known.length > 60) {
      context.globalAlpha = 0.6;
      for (const station of this.known) paintDot(context, tile, station, 1.3, () => colors.of("--station"));
      context.globalAlpha = 1;
      return;
    }
    const marks = this.known.map((station) => (station.index === this.station ? { ...station, color: colors.of("--paper"), fill: colors.of("--accent") } : station));
    paintMarks(context, tile, marks, { radius: this.stations.length > 400 ? 2.5 : this.stations.length > 60 ? 4 : 6 });
  }

  findStation(x, y, reach) {
    const station = nearestPoint(this.known, x, y, reach);
    return station && { station, text: `${station.name}${station.lines ? `: ${station.lines}` : ""}` };
  }

  /** The status in the database; null if the page does not know it, since it has only the statuses of the hour shown first. */
  status(origin) {
    const status = this.access.statuses[this.access.reason[origin]];
    return this.seconds(origin) !== null ? "ok" : status === "ok" ? null : status;
  }

  told(origin) {
    const seconds = this.seconds(origin);
    return seconds === null ? (this.status(origin) ? this.access.reasons[this.access.reason[origin]] : "not reached") : duration(seconds);
  }

  find(x, y, reach) {
    if (this.choice.value === "hexagons") {
      const zoom = Math.round(this.explorer.map.getZoom());
      const bin = nearestPoint(this.hexagons(zoom), x, y, 11 / (256 * 2 ** zoom));
      if (bin) return { text: `${duration(bin.seconds)} on average of ${decimal(bin.count)} origin${bin.count === 1 ? "" : "s"}` };
    }
    const area = this.choice.value === "areas" && this.areas.find(({ parts, box }) => meets(box, [x, y, x, y]) && isInside(parts, x, y));
    const far = this.choice.value === "cells" ? Math.max(reach, this.lattice.radius) : reach;
    const origin = area ? this.origins[area.index] : nearestPoint(this.origins, x, y, far);
    return origin && { origin, text: `${this.nameOf.get(origin.index) ?? "origin"}: ${this.told(origin.index)}` };
  }

  addList() {
    const { listed, names, ids, seconds } = this.access;
    // Reasons why origins have no station need more room than times.
    const wide = seconds.flat().includes(null) ? 42 : 70;
    this.list = this.explorer.addList(new PickList({
      caption: "Origins, longest time first", count: listed.length, order: 1, descends: true, pick: (row) => this.pick(listed[row]),
      search: (row) => `${ids[row]} ${names[row]}`,
      columns: [
        { title: "origin", text: (row) => names[row], value: (row) => names[row], width: wide },
        { title: "time", isNumber: true, text: (row) => this.told(listed[row]), value: (row) => this.seconds(listed[row]), width: 100 - wide },
      ],
    }));
  }

  /** Shows a card for the picked origin. */
  describe() {
    const { weight, unit, hours, seconds } = this.access;
    const origin = this.picked;
    this.explorer.card(() => this.leave(),
      element("h2", {}, this.nameOf.get(origin) ?? "origin"),
      element("p", { class: "large" }, this.told(origin)),
      this.nearestOf(origin),
      this.nextOf(origin),
      weight ? element("p", {}, `${decimal(weight[origin])} ${unit}`) : "",
      hours.length > 1 ? tableOf(axisOf(hours[0]), [axisOf(hours[0]).slice(3), "#time"], hours.map((hour, index) => [moment(hour), duration(seconds[index][origin])])) : "");
  }

  /** The nearest station of an origin, as a button, and its lines. */
  nearestOf(origin) {
    const station = this.stations[this.access.nearest[this.hour][origin]];
    return station ? element("div", {}, element("p", {}, "Nearest: ", this.stationButton(station)), this.chips(station)) : "";
  }

  /** The next nearest stations, with their times. */
  nextOf(origin) {
    const next = (this.hour === this.explorer.firstHour && this.access.next?.[this.access.listed.indexOf(origin)]) || [];
    return next.length ? element("p", {}, "Next: ", next.flatMap(([station, seconds], index) => [index ? ", " : "", this.stationButton(this.stations[station]), ` ${duration(seconds)}`])) : "";
  }

  stationButton({ index, name }) { return element("button", { type: "button", class: "plain", onclick: () => this.pickStation(index) }, name); }

  chips({ lines }) { return lines ? element("ul", { class: "chips", "aria-label": "Lines" }, lines.split(", ").map((line) => element("li", {}, line))) : ""; }

  /** Picks a station: shows its catchment in a card, and on the map only the origins nearest to it. */
  pickStation(index) {
    if (this.station === index) { this.explorer.leave?.(); return; }
    [this.station, this.picked] = [index, -1];
    this.list.select(-1);
    this.bins.clear();
    const own = this.origins.filter((origin) => this.isLit(origin.index)).map(({ x, y }) => Float64Array.of(x, y));
    const { x, y, name } = this.stations[index];
    this.explorer.fit(boxAround([...own, Float64Array.of(x, y)]), { maxZoom: 15 });
    this.explorer.repaint();
    this.describeStation();
    this.explorer.say(name);
  }

  describeStation() {
    const station = this.stations[this.station];
    const { services, thresholds, unit, weight, nearest } = this.access;
    const [reach, own] = services[this.station];
    const count = nearest[this.hour].filter((other) => other === this.station).length;
    this.bins.clear();
    this.explorer.card(() => this.leave(),
      element("h2", {}, station.name),
      this.chips(station),
      element("p", {}, `The nearest for ${decimal(count)} origin${count === 1 ? "" : "s"}, shown on the map.`),
      tableOf(`Catchment: ${weight ? unit : "origins"}${this.servicesNote}`, ["time", "#reach it", "#nearest"],
        thresholds.map((threshold, index) => [`within ${limitText(threshold)}`, decimal(reach[index]), decimal(own[index])])));
  }

  /** Shows all origins again. */
  leave() {
    [this.picked, this.station] = [-1, -1];
    this.bins.clear();
    this.list.select(-1);
    this.explorer.repaint();
  }

  pick(origin) {
    [this.picked, this.station] = [origin, -1];
    this.bins.clear();
    const ends = [this.origins[origin], this.stations[this.access.nearest[this.hour][origin]]].filter(Boolean).map(({ x, y }) => Float64Array.of(x, y));
    const row = this.access.listed.indexOf(origin);
    if (row >= 0 && this.list.picked !== row) this.list.select(row);
    this.explorer.repaint();
    this.describe();
    this.explorer.fit(boxAround(ends), { maxZoom: 15 });
    this.explorer.say(`${this.nameOf.get(origin) ?? "origin"}: ${this.told(origin)}`);
  }
}

kinds.access = (explorer, data) => new AccessMap(explorer, data);
