/**
 * The areas within each threshold of all places, or of the selected one, at the hour of the slider.
 *
 * `data.isochrones` has `places` (columns), `hours`, `areas` (`[place, threshold, hour, rings]`, largest thresholds first; with
 * `hasBands`, each excludes the areas of smaller thresholds) and `sizes` (`[place, threshold, hour, square metres]`, always of
 * whole areas). `data.grids`, for areas within other times, is described at `Grid`.
 */
class IsochroneMap {
  constructor(explorer, data) {
    const { places, hours, areas, sizes, leftOut, hasBands } = data.isochrones;
    Object.assign(this, { explorer, hours, scale: data.scale, shades: data.shades, noun: data.noun, hour: 0, picked: -1, hidden: new Set(), minutes: null, grids: [], hasBands });
    this.places = placesOf(places);
    this.areas = areas.map(([place, threshold, hour, text]) => {
      const parts = decoded(text);
      return { place, threshold, hour, parts, box: boxAround(parts) };
    });
    // Areas that are too large for the page are drawn from the grids.
    this.isGridded = !this.areas.length && Boolean(data.grids) && inflates;
    this.sizes = new Map(sizes.map(([place, threshold, hour, size]) => [`${place} ${threshold} ${hour}`, size]));
    // The layer as a whole is transparent: where areas overlap, the colour is that of the shortest time.
    explorer.add({ name: "areas", opacity: 0.7, paint: (context, tile) => this.paint(context, tile), find: (x, y) => this.findTime(x, y) });
    explorer.add({
      name: this.noun, toggle: true, paint: (context, tile) => this.paintPlaces(context, tile),
      find: (x, y, reach) => this.find(x, y, reach), pick: ({ place }) => this.pick(place.index),
    });
    this.addControls();
    if (this.places.length <= 100) explorer.addNames(this.places, 0);
    if (leftOut) explorer.note(leftOut);
    this.legend();
    this.addList();
    if (data.grids && inflates) this.addGrids(data.grids.map((grid) => new Grid(grid)));
    // Areas as in the table: in a job with bands, each excludes the areas of smaller thresholds.
    const shape = (place, threshold) => this.areas.find((area) => area.place === place && area.threshold === threshold && area.hour === this.hour);
    explorer.take = new Take(explorer, {
      word: "place", table: "isochrone", id: "place_id", hour: () => this.hours[this.hour], picked: () => this.places[this.picked]?.id,
      columns: ["place_id", "name", "from_threshold", "threshold", "area"], parts: this.scale,
      row: (row, threshold) => [this.places[row].id, this.places[row].name, this.from(threshold), threshold, this.square(row, threshold) && this.square(row, threshold) - this.square(row, this.from(threshold))],
      geometry: (row, threshold) => (shape(row, threshold) ? areaGeometry(shape(row, threshold).parts) : pointGeometry(this.places[row].x, this.places[row].y)),
      geometryIs: (row, threshold) => (shape(row, threshold) ? "area" : "place"),
    });
  }

  isDrawn(threshold) { return this.isGridded || this.areas.some((area) => area.threshold === threshold); }

  /** The inner threshold of an area's ring in a job with bands, in seconds; 0 for a whole area. */
  from(threshold) { return (this.hasBands && this.scale[this.scale.indexOf(threshold) - 1]) || 0; }

  /** The travel times of a drawn area in words: "within 6 min", or for a ring "between 3 and 6 min". */
  reach(limit) {
    const from = this.minutes === null && !this.isGridded ? this.from(limit) : 0;
    return from ? `between ${limitText(from)} and ${limitText(limit)}`.replace(/\smin(?= and .*min$)/, "") : `within ${limitText(limit)}`;
  }

  addControls() {
    for (const threshold of this.scale) {
      const isDrawn = this.isDrawn(threshold);
      const box = element("input", { type: "checkbox", checked: isDrawn, disabled: !isDrawn, onchange: () => {
        if (box.checked) this.hidden.delete(threshold); else this.hidden.add(threshold);
        this.explorer.repaint();
      } });
      this.explorer.controls.append(element("label", { class: "toggle" }, box, ` ${this.reach(threshold)}${isDrawn ? "" : ": not drawn"}`));
    }
    if (this.hours.length < 2) return;
    this.explorer.addHours(this.hours, (hour) => {
      this.hour = hour;
      this.explorer.repaint();
      this.list.sort();
      this.move?.();
      if (this.picked >= 0) this.describe();
    }, "mean area", (hour) => mean(this.places.map((_, place) => this.sizes.get(`${place} ${this.scale.at(-1)} ${hour}`))));
  }

  /** Adds a slider of minutes once the grids are read. */
  async addGrids(grids) {
    await Promise.all(grids.map((grid) => grid.read()));
    this.grids = grids;
    const known = new Set(grids.map(({ place }) => place));
    const missing = this.places.filter(({ index, ok }) => ok && !known.has(index)).length;
    const metres = [...new Set(grids.map((grid) => Math.round(grid.metres)))].sort((a, b) => a - b);
    this.move = this.explorer.addMinutes(Math.ceil(this.scale.at(-1) / 60), (minutes) => this.within(minutes));
    this.explorer.note(`${this.isGridded ? "Areas" : "Areas for times other than those of the job"} are drawn on a grid of ${metres.length > 1 ? `${metres[0]} to ${metres.at(-1)}` : metres[0]}${noBreak}m${missing ? `, without those of ${decimal(missing)} ${this.noun}` : ""}.`);
    this.explorer.repaint();
  }

  /** Shows the areas within a number of minutes, or within the thresholds if null. Returns the label of the slider. */
  within(minutes) {
    this.minutes = minutes;
    this.explorer.repaint();
    this.legend();
    this.list.heads[1].firstChild.textContent = `within ${limitText(this.most)}`;
    this.list.sort();
    if (minutes === null) return "the thresholds";
    const sizes = this.shownGrids.map((grid) => this.areaOf(grid, minutes * 60)).sort((a, b) => a - b);
    if (!sizes.length) return duration(minutes * 60);
    const median = mean([sizes[(sizes.length - 1) >> 1], sizes[sizes.length >> 1]]);
    return `${duration(minutes * 60)}: ${sizes.length > 1 ? "typically " : ""}about ${area(median)}`;
  }

  /** Returns a grid's area within a number of seconds in square metres, scaled by the ratio of exact to grid areas at thresholds. */
  areaOf(grid, seconds) {
    const known = this.scale.flatMap((threshold) => {
      const [exact, drawn] = [this.sizes.get(`${grid.place} ${threshold} ${grid.hour}`), grid.area(threshold)];
      return exact && drawn ? [{ threshold, ratio: exact / drawn }] : [];
    });
    if (!known.length) return grid.area(seconds);
    const after = known.find(({ threshold }) => threshold >= seconds) ?? known.at(-1);
    const before = known.findLast(({ threshold }) => threshold <= seconds) ?? known[0];
    const part = after.threshold === before.threshold ? 0 : (seconds - before.threshold) / (after.threshold - before.threshold);
    return grid.area(seconds) * (before.ratio + (after.ratio - before.ratio) * part);
  }

  /** The grids of the selected place, or of all, at the hour of the slider. */
  get shownGrids() { return this.grids.filter((grid) => grid.hour === this.hour && (this.picked < 0 || grid.place === this.picked)); }

  findTime(x, y) {
    const seconds = this.shownGrids.map((grid) => grid.at(x, y)).filter((time) => time !== null);
    if (!seconds.length) return null;
    const least = Math.min(...seconds);
    return { text: `within ${limitText(least)}${seconds.length > 1 ? `; ${decimal(seconds.length)} ${this.noun} within reach` : ""}` };
  }

  /** Returns the threshold whose colour is used for a time. */
  thresholdOf(limit) { return this.scale.find((threshold) => threshold >= limit) ?? this.scale.at(-1); }

  shade(threshold) { return this.shades[this.scale.indexOf(threshold)]; }

  /** The longest drawn time, in seconds. */
  get most() { return this.minutes === null ? this.scale.at(-1) : this.minutes * 60; }

  legend() {
    const { most } = this;
    // Of whole areas that share a colour, only the largest shows.
    const limits = [...this.scale.filter((threshold) => threshold < most), most].filter((limit) => this.minutes !== null || this.isDrawn(limit));
    const distinct = limits.filter((limit, index) => this.from(limit) || index + 1 === limits.length || this.shade(limit) !== this.shade(this.thresholdOf(limits[index + 1])));
    const items = distinct.map((limit) => ({ color: `--c${this.shade(this.thresholdOf(limit))}`, text: this.reach(limit), shape: "area" }));
    this.explorer.legend([...items, { color: "--station", text: this.noun, shape: "ring" }, ...(this.places.every((place) => place.ok) ? [] : [{ color: "--none", text: `${this.noun} without an area`, shape: "ring" }])], "Areas");
  }

  paint(context, tile) {
    if (this.minutes !== null || this.isGridded) {
      const most = this.minutes === null ? Infinity : this.minutes * 60;
      // Longest times first, each in the colour of the smallest threshold that includes it.
      for (const limit of [...(this.minutes === null ? [] : [most]), ...this.scale.filter((threshold) => threshold < most && !this.hidden.has(threshold)).reverse()]) {
        context.beginPath();
        for (const grid of this.shownGrids) grid.trace(context, tile, limit);
        context.fillStyle = colors.of(`--c${this.shade(this.thresholdOf(limit))}`);
        context.fill();
      }
      return;
    }
    for (const area of this.areas) {
      if (area.hour !== this.hour || this.hidden.has(area.threshold) || (this.picked >= 0 && area.place !== this.picked)) continue;
      if (!meets(area.box, tile.box)) continue;
      context.beginPath();
      trace(context, tile, area.parts);
      context.closePath();
      const color = colors.of(`--c${this.shade(area.threshold)}`);
      [context.fillStyle, context.strokeStyle, context.lineWidth] = [color, color, 1.5];
      context.fill("evenodd");
      context.stroke();
    }
  }

  paintPlaces(context, tile) {
    const marks = this.places.map((place) => ({ ...place, color: colors.of(place.index === this.picked ? "--accent" : place.ok ? "--station" : "--none") }));
    paintMarks(context, tile, marks, { radius: this.places.length > 60 ? 3.5 : 5.5 });
  }

  find(x, y, reach) {
    const place = nearestPoint(this.places, x, y, reach);
    return place && { place, text: place.ok ? `${place.name}: ${this.size(place.index, this.most)} within ${limitText(this.most)}` : `${place.name}: no area` };
  }

  /** Returns the area within a time of a place in square metres: exact at the thresholds, else from its grid; null if unknown. */
  square(place, limit) {
    const grid = limit === 0 || this.scale.includes(limit) ? null : this.grids.find((each) => each.place === place && each.hour === this.hour);
    return grid ? this.areaOf(grid, limit) : this.sizes.get(`${place} ${limit} ${this.hour}`) ?? null;
  }

  size(place, threshold) {
    const size = this.square(place, threshold);
    return size === null ? "–" : area(size);
  }

  addList() {
    this.list = this.explorer.addList(new PickList({
      caption: `All ${this.noun}`, count: this.places.length, order: 1, pick: (row) => this.pick(row),
      search: (row) => `${this.places[row].id} ${this.places[row].name}`,
      columns: [
        { title: this.noun, text: (row) => this.places[row].name, value: (row) => this.places[row].name, width: 50 },
        { title: `within ${limitText(this.most)}`, isNumber: true, text: (row) => this.size(row, this.most), value: (row) => this.square(row, this.most), width: 50 },
      ],
    }));
  }

  pick(index) {
    // Selecting the same place again shows all places.
    if (this.picked === index) { this.explorer.leave?.(); return; }
    this.picked = index;
    this.list.select(index);
    this.move?.();
    this.explorer.repaint();
    const of = (all) => all.filter((area) => area.place === index);
    // A grid's box is larger than the areas of the job.
    const boxes = of(this.areas).length ? of(this.areas).map(({ box }) => box) : of(this.grids).map((grid) => grid.boxWithin(this.scale.at(-1)));
    if (boxes.length) this.explorer.fit(boxAround(boxes.map((box) => Float64Array.from(box))));
    this.describe();
    this.explorer.say(this.places[index].name);
  }

  /** Shows all places again. */
  leave() {
    this.picked = -1;
    this.list.select(-1);
    this.move?.();
    this.explorer.repaint();
  }

  describe() {
    this.explorer.card(() => this.leave(),
      element("h2", {}, this.places[this.picked].name),
      tableOf(element("caption", { class: "hidden" }, "Areas"), ["time", "#area"], this.scale.map((threshold) => [`within ${limitText(threshold)}`, this.size(this.picked, threshold)])));
  }
}

kinds.isochrones = (explorer, data) => new IsochroneMap(explorer, data);
