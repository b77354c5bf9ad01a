/**
 * The map of changes between two runs: origins by the mean change of their rows, a list of the changed rows, and the
 * picked row with its ends.
 *
 * `data.compare` has columns of places (`ids`, `names`, `points`, `roles`, `moves`), of changed origins (`origins`, indices of
 * places; `differences`, and the earlier means, `before`; `counts`, `[change, rows]` with an index into `changes`) and of
 * changed rows (`items`, `from`, `to`, `change`, `old`, `new`, and `why`, an index into `reasons`). For some rows it has
 * `routes`: `[row, name before, name now, line before, line now]`.
 * `data.flows` is described at `ChangedFlows`.
 */
class ChangeMap {
  static mostLines = 500;

  constructor(explorer, data) {
    const compare = data.compare;
    Object.assign(this, { explorer, data, compare, picked: -1, origin: -1 });
    const points = decoded(compare.points)[0] ?? new Float64Array();
    this.places = compare.names.map((name, index) => ({ index, name, role: compare.roles[index], move: compare.moves[index], x: points[index * 2], y: points[index * 2 + 1] }));
    this.origins = compare.origins.map((place, index) => ({ ...this.places[place], difference: compare.differences[index], before: compare.before[index], counts: compare.counts[index] }));
    this.lattice = latticeOf(this.places.filter(({ role }) => role === "origin"));
    this.routes = new Map(compare.routes.map(([row, ...route]) => [row, route]));
    if (data.flows) this.flows = new ChangedFlows(explorer, data.flows);
    const lines = compare.items.map((_, row) => row).filter((row) => compare.from[row] >= 0 && compare.to[row] >= 0)
      .map((row) => ({ row, parts: [this.line(row)], box: boxAround([this.line(row)]) }));
    if (lines.length && data.compare.origins.length > 1) {
      const layer = explorer.add({ name: "lines of changes", toggle: true, paint: (context, tile) => this.paintLines(context, tile, lines), find: (x, y, reach) => this.findLine(x, y, reach, lines), pick: ({ row }) => this.pick(row) });
      if (lines.length > ChangeMap.mostLines || this.flows) explorer.show(layer, false);
    }
    this.layer = explorer.add({ name: "origins", paint: (context, tile) => this.paint(context, tile), find: (x, y, reach) => this.find(x, y, reach), pick: ({ origin }) => this.pickOrigin(origin) });
    const moved = this.places.filter(({ move, role }) => move && role !== "origin");
    if (moved.length) {
      explorer.add({
        name: "new, removed and moved stations and destinations", toggle: true,
        paint: (context, tile) => paintMarks(context, tile, moved.map((place) => ({ ...place, color: colors.of(place.move === "gone" ? "--alert" : "--accent") })), { radius: 6 }),
        find: (x, y, reach) => {
          const place = nearestPoint(moved, x, y, reach);
          return place && { text: `${place.name}: ${place.role}, ${place.move}` };
        },
      });
    }
    explorer.add({ name: "picked", paint: (context, tile) => this.paintPicked(context, tile) });
    this.moves = new Set(moved.map(({ move }) => (move === "gone" ? "removed" : "new or moved")));
    if (data.scale?.length && this.origins.some(({ before }) => before !== null)) this.addSwipe();
    explorer.onShow = () => this.legend();
    this.legend();
    if (compare.leftOut) explorer.note(compare.leftOut);
    this.addList();
    explorer.take = new Take(explorer, {
      word: "row", table: "change", id: "item", picked: () => compare.items[this.picked],
      columns: ["item", "change", "old_value", "new_value", "reason"],
      row: (row) => [compare.items[row], compare.changes[compare.change[row]].replaceAll(" ", "_"), compare.old[row], compare.new[row], compare.reasons[compare.why[row]]],
      geometry: (row) => (compare.from[row] >= 0 && compare.to[row] >= 0 ? lineGeometry([this.line(row)]) : compare.from[row] >= 0 ? pointGeometry(this.places[compare.from[row]].x, this.places[compare.from[row]].y) : null),
      geometryIs: (row) => (compare.from[row] < 0 ? null : compare.to[row] < 0 ? "place" : "straight line"),
    });
  }

  /** Adds the choice between the changes and both runs, which are drawn on the two sides of a movable line. */
  addSwipe() {
    const { explorer } = this;
    const known = this.origins.filter(({ before }) => before !== null);
    const side = (value) => (context, tile) => this.paintTimes(context, tile, known, value);
    this.swipe = new Swipe(explorer, side(({ before }) => before), side(({ before, difference }) => before + difference), {
      find: (x, y, reach) => {
        const dot = nearestPoint(known, x, y, reach);
        return dot && { origin: dot, text: `${dot.name}: ${duration(dot.before)} before, ${duration(dot.before + dot.difference)} now` };
      },
      pick: ({ origin }) => this.pickOrigin(origin),
    });
    const choice = element("select", { "aria-label": "Display", onchange: () => {
      this.isSwiped = choice.value === "both";
      // Layers of changes would hide the times of both runs.
      if (this.isSwiped) this.ofChanges = explorer.layers.filter((layer) => (layer === this.layer || layer.toggle) && !layer.isHidden);
      for (const layer of this.ofChanges ?? []) explorer.show(layer, !this.isSwiped);
      this.swipe.show(this.isSwiped);
    } }, element("option", { value: "change" }, "change"), element("option", { value: "both" }, "before and now"));
    explorer.controls.append(element("label", {}, "Draw: ", choice));
  }

  /** Paints origins by their mean time in one run. */
  paintTimes(context, tile, origins, value) {
    const shade = (origin) => shadeOf(value(origin), this.data.scale);
    if (this.lattice) {
      paintCells(context, tile, this.lattice, origins, shade);
      return;
    }
    paintDots(context, tile, origins, (origin) => colors.of(`--c${shade(origin)}`));
  }

  legend() {
    const { data, compare } = this;
    // Cells are transparent, dots are not.
    const shape = this.lattice ? "area" : "dot";
    if (this.isSwiped) {
      const times = this.origins.flatMap(({ before, difference }) => (before === null ? [] : [before, before + difference]));
      this.explorer.legend(inUse(classesOf(data.scale, shape, limitText), times, (time) => shadeOf(time, data.scale)), "Mean time of changes by origin");
      return;
    }
    const isFlowing = this.flows && !this.flows.layer.isHidden;
    const shades = new Set(compare.items.map((_, row) => this.difference(row)).concat(this.origins.map(({ difference }) => difference)).filter((difference) => difference !== null).map((difference) => this.shade(difference)));
    const hasNone = this.origins.some(({ difference }) => difference === null);
    this.explorer.legend([
      ...(isFlowing ? this.flows.legend() : []),
      ...data.legend.map((text, shade) => ({ color: `--d${shade}`, text, shape })).filter((_, shade) => shades.has(shade)), ...(hasNone ? [{ color: "--none", text: data.none, shape: "hatch" }] : []),
      ...[...this.moves].map((text) => ({ color: text === "removed" ? "--alert" : "--accent", text, shape: "ring" })),
      ...(this.routes.has(this.picked) ? [{ color: "--soft", text: "route before", shape: "line" }, { color: "--accent", text: "route now", shape: "line" }] : []),
    ], isFlowing ? "Change of trips on streets, and mean change by origin" : "Mean change by origin");
  }

  shade(difference) {
    const size = this.data.limits.filter((limit) => Math.abs(difference) > limit).length;
    return difference < 0 ? 2 - size : 3 + size;
  }

  color(difference) { return colors.of(difference === null ? "--none" : `--d${this.shade(difference)}`); }

  difference(row) {
    const { old, new: now } = this.compare;
    return old[row] === null || now[row] === null ? null : now[row] - old[row];
  }

  value(value) { return this.data.unit === "s" ? duration(value) : value === null ? "–" : `${decimal(value / 1e6, 2)}${noBreak}km²`; }

  /** The value without the unit that the column's title has, or with its minutes after hours: "1 h 37". */
  short(value) { return this.value(value).replace(/\skm²|(?<=h\s\d+)\smin/, ""); }

  signed(difference) {
    const sign = difference > 0 ? "+" : "−";
    const size = Math.abs(difference);
    return `${sign}${this.data.unit === "s" ? duration(size) : `${decimal(size / 1e6, 3)}${noBreak}km²`}`;
  }

  told(row) {
    const difference = this.difference(row);
    return difference === null ? this.compare.changes[this.compare.change[row]] : this.signed(difference);
  }

  addList() {
    const { compare } = this;
    const isArea = this.data.unit !== "s";
    this.list = this.explorer.addList(new PickList({
      caption: "Changes", count: compare.items.length, order: 3, descends: !isArea, pick: (row) => this.pick(row),
      search: (row) => `${compare.items[row]} ${this.title(row)} ${compare.changes[compare.change[row]]} ${compare.reasons[compare.why[row]]}`,
      columns: [
        { title: "row", text: (row) => this.named(row), value: (row) => this.named(row), hasEnds: compare.items.some((_, row) => this.names(row).includes(" → ")), width: 32 },
        { title: "before", isNumber: true, text: (row) => this.short(compare.old[row]), value: (row) => compare.old[row], width: 18 },
        { title: "now", isNumber: true, text: (row) => this.short(compare.new[row]), value: (row) => compare.new[row], width: 18 },
        { title: `change${isArea ? ", km²" : ""}`, isNumber: true, text: (row) => this.told(row).replace(/\skm²|^newly /, ""), value: (row) => this.difference(row), width: 32 },
      ],
    }));
  }

  /** The names of a row's places; empty if they have only ids. */
  names(row) {
    const ends = [this.compare.from[row], this.compare.to[row]].filter((place) => place >= 0);
    return ends.some((place) => this.places[place].name !== String(this.compare.ids[place])) ? ends.map((place) => this.places[place].name).join(" → ") : "";
  }

  /** The rest of a row's item, such as its hour, followed by the names of its places, if known: "Mo 10:00, Rua 5 → Station". */
  named(row) {
    const { ids, items, from, to } = this.compare;
    const [names, item] = [this.names(row), String(items[row])];
    if (!names) return item;
    const ends = [from[row], to[row]].filter((place) => place >= 0).map((place) => ids[place]).join(", ");
    const rest = item === ends ? "" : item.startsWith(`${ends}, `) ? item.slice(ends.length + 2) : item;
    const short = rest.replace(/^(\d+) s$/, (_, seconds) => limitText(Number(seconds))).replace("percentile ", "p");
    return [short, names].filter(Boolean).join(", ");
  }

  title(row) { return this.names(row) || String(this.compare.items[row]); }

  line(row) {
    const [from, to] = [this.places[this.compare.from[row]], this.places[this.compare.to[row]]];
    return Float64Array.of(from.x, from.y, to.x, to.y);
  }

  paintLines(context, tile, lines) {
    context.globalAlpha = this.picked >= 0 ? 0.25 : 0.7;
    for (const { row, parts, box } of lines)
      if (meets(box, tile.box)) stroke(context, tile, parts, this.color(this.difference(row)), 1.5);
    context.globalAlpha = 1;
  }

  findLine(x, y, reach, lines) {
    const line = nearestLine(lines, x, y, reach);
    return line && { row: line.row, text: `${this.title(line.row)}: ${this.told(line.row)}` };
  }

  /** The destinations of the picked origin; all origins if none is picked. */
  get dots() {
    if (this.origin < 0) return this.origins;
    const { from, to } = this.compare;
    return from.flatMap((place, row) => (place === this.origin && to[row] >= 0 ? [{ ...this.places[to[row]], difference: this.difference(row) }] : []));
  }

  paint(context, tile) {
    const { dots } = this;
    if (this.lattice && this.origin < 0) {
      paintCells(context, tile, this.lattice, dots, ({ difference }) => (difference === null ? null : this.shade(difference)), "--d");
      this.explorer.backdrop.paintAbove(context, tile);
      return;
    }
    paintDots(context, tile, dots, ({ difference }) => (difference === null ? null : this.color(difference)));
  }

  find(x, y, reach) {
    const dot = nearestPoint(this.dots, x, y, reach);
    if (!dot) return null;
    const told = dot.difference === null ? "" : `${this.signed(dot.difference)}${this.origin < 0 ? " on average" : ""}`;
    const counts = dot.counts ? this.counted(dot.counts) : "";
    return { origin: dot, text: `${dot.name}: ${[told, counts].filter(Boolean).join("; ")}` };
  }

  counted(counts) { return counts.map(([change, rows]) => `${decimal(rows)} ${this.compare.changes[change]}`).join(", "); }

  paintPicked(context, tile) {
    if (this.origin >= 0) paintMarks(context, tile, [{ ...this.places[this.origin], color: colors.of("--accent") }], { radius: 8 });
    if (this.picked < 0) return;
    const ends = [this.compare.from[this.picked], this.compare.to[this.picked]].filter((place) => place >= 0).map((place) => this.places[place]);
    if (this.lines) {
      // The earlier route is wider, so that it shows on both sides where the routes coincide.
      strokeWithRim(context, tile, this.lines[0], colors.of("--soft"), 8);
      strokeWithRim(context, tile, this.lines[1], colors.of("--accent"), 3.5);
    } else if (ends.length === 2) strokeWithRim(context, tile, [this.line(this.picked)], colors.of("--accent"), 4);
    paintMarks(context, tile, ends.map((place, end) => ({ ...place, ...(end ? { color: colors.of("--paper"), fill: colors.of("--accent") } : { color: colors.of("--accent") }) })), { radius: 7 });
  }

  pick(row) {
    [this.picked, this.origin] = [row, -1];
    if (this.list.picked !== row) this.list.select(row);
    const { compare } = this;
    const route = this.routes.get(row);
    this.lines = route ? route.slice(2).map(decoded) : null;
    if (this.flows) this.flows.isFaint = true;
    const ends = [compare.from[row], compare.to[row]].filter((place) => place >= 0).map((place) => this.places[place]);
    const box = boxAround([...ends.map(({ x, y }) => Float64Array.of(x, y)), ...(this.lines ?? []).flat()]);
    if (box[0] <= box[2]) this.explorer.fit(box, { maxZoom: 15 });
    this.legend();
    this.explorer.repaint();
    this.explorer.card(() => this.leave(), ...this.described(row, route));
    this.explorer.say(`${this.title(row)}: ${this.told(row)}`);
  }

  /** The card of a row: both values, their difference, both routes, and the reason. */
  described(row, route) {
    const { compare } = this;
    const change = compare.changes[compare.change[row]];
    const why = compare.reasons[compare.why[row]];
    const ratio = this.difference(row) === null || !compare.old[row] ? "" : ` (${percent(Math.abs(this.difference(row)) / compare.old[row])})`;
    const ways = route && (route[0] || route[1]) && route[0] !== route[1];
    return [
      element("h2", {}, compare.items[row], ...(this.names(row) ? [element("small", { class: "soft" }, ` ${this.names(row)}`)] : [])),
      element("p", { class: "large" }, `${this.value(compare.old[row])} → ${this.value(compare.new[row])}`),
      element("p", {}, [change, this.difference(row) === null ? "" : `${this.signed(this.difference(row))}${ratio}`].filter(Boolean).join(", ")),
      ways ? element("p", {}, `The route was ${route[0] || "without a name"}, and is ${route[1] || "without a name"} now.`) : "",
      route && !ways && route[2] !== route[3] ? element("p", {}, "The route follows a different line under the same name.") : "",
      route && route[2] === route[3] ? element("p", {}, "The route is the same.") : "",
      why ? element("p", { class: "soft" }, `Why: ${why}`) : "",
    ];
  }

  /** Returns to all changes. */
  leave() {
    [this.picked, this.origin, this.lines] = [-1, -1, null];
    if (this.flows) this.flows.isFaint = false;
    this.list.select(-1);
    this.legend();
    this.explorer.repaint();
  }

  /** Shows the changed rows of an origin by destination; picking the same origin again returns to all changes. */
  pickOrigin(origin) {
    const found = this.origins.find(({ index }) => index === origin.index);
    if (!found) return;
    if (this.origin === origin.index) { this.explorer.leave?.(); return; }
    this.origin = this.compare.to.some((to) => to >= 0) ? origin.index : -1;
    [this.picked, this.lines] = [-1, null];
    this.explorer.repaint();
    this.explorer.card(() => this.leave(),
      element("h2", {}, origin.name),
      element("p", {}, `${this.counted(found.counts)}${found.difference === null ? "" : `; ${this.signed(found.difference)} on average`}`));
    this.explorer.say(origin.name);
  }
}

/** Paints dots, each in its own colour; smaller if there are many. */
function paintDots(context, tile, dots, color) {
  const radius = dots.length < 300 ? 6 : dots.length < 3000 ? 4.5 : 3;
  for (const dot of dots) paintDot(context, tile, dot, radius, () => color(dot));
}

kinds.compare = (explorer, data) => new ChangeMap(explorer, data);
