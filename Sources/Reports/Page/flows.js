/**
 * Streets drawn with a width by the number of trips on them. From zoom 14, each direction has its own line, on the side on
 * which traffic drives.
 *
 * `flows` has `unit`, `limits` and `widths` of the classes, `isLeft` (whether traffic keeps left), `names`, and `streets`:
 * `[name, line, trips along it, trips against it, weight along it, weight against it]`, the greatest first; weights only if
 * pairs have them.
 */
class Flows {
  static directed = 14;

  constructor(explorer, flows) {
    Object.assign(this, { explorer, ...flows, isFaint: false });
    this.lines = flows.streets.map(([name, line, ...counts]) => {
      const parts = decoded(line);
      return { name: flows.names[name], part: parts[0] ?? new Float64Array(), parts, box: boxAround(parts), counts, sums: counts.length > 2 ? counts.slice(2) : counts };
    }).reverse();
    this.layer = explorer.add({
      name: `${this.unit} on each street`, toggle: true,
      paint: (context, tile) => this.paint(context, tile), find: (x, y, reach) => this.find(x, y, reach),
    });
  }

  shade(flow) {
    return this.widths.length - 1 - this.limits.length + shadeOf(flow, this.limits);
  }

  legend() {
    const first = this.widths.length - 1 - this.limits.length;
    const items = this.limits.map((limit, index) => ({ color: `--f${first + index}`, text: `up to ${decimal(limit, limit % 1 ? 1 : 0)}`, shape: "line" }));
    const last = this.limits.length ? `over ${decimal(this.limits.at(-1))}` : "some";
    // A line shows both directions together, or one of them, depending on the zoom.
    const drawn = this.lines.flatMap(({ sums: [along, against] }) => [along, against, along + against]).filter(Boolean);
    return inUse([...items, { color: `--f${this.widths.length - 1}`, text: last, shape: "line" }], drawn, (flow) => this.shade(flow) - first);
  }

  /** Returns the style's colour of a flow with a shade (the index of its class). */
  color(flow, shade) { return `--f${shade}`; }

  paint(context, tile) {
    const isDirected = tile.zoom >= Flows.directed;
    const drawn = this.widths.map(() => new Map());
    const draw = (flow, part, side) => {
      const shade = this.shade(Math.abs(flow));
      const color = this.color(flow, shade);
      if (!drawn[shade].has(color)) drawn[shade].set(color, []);
      drawn[shade].get(color).push([part, side]);
    };
    for (const line of this.lines) {
      if (!meets(line.box, tile.box)) continue;
      const [along, against] = line.sums;
      if (!isDirected) { if (along + against) draw(along + against, line.part, 0); continue; }
      // If all trips are in one direction, its line is in the middle.
      const side = along && against ? (this.isLeft ? -1 : 1) : 0;
      if (along) draw(along, line.part, side);
      if (against) draw(against, line.part, -side);
    }
    context.globalAlpha = this.isFaint ? 0.25 : 1;
    context.lineCap = "butt";
    drawn.forEach((byColor, shade) => {
      const width = this.widths[shade] * (isDirected ? 1.2 : 1);
      for (const [color, lines] of byColor) {
        context.beginPath();
        for (const [part, side] of lines) {
          if (side) traceAside(context, tile, part, side * (width / 2 + 1)); else trace(context, tile, [part]);
        }
        [context.strokeStyle, context.lineWidth] = [colors.of(color), width];
        context.stroke();
      }
    });
    context.lineCap = "round";
    context.globalAlpha = 1;
  }

  find(x, y, reach) {
    const line = nearestLine(this.lines, x, y, reach);
    return line && { line, text: this.text(line) };
  }

  /** Returns the direction in which a line leads, and the opposite one: "north", "south". */
  directions(part) {
    const words = ["east", "southeast", "south", "southwest", "west", "northwest", "north", "northeast"];
    const turn = Math.atan2(part[part.length - 1] - part[1], part[part.length - 2] - part[0]) / (Math.PI / 4);
    return [0, 4].map((opposite) => words[(Math.round(turn) + 8 + opposite) % 8]);
  }

  /** "Rua do Ouro: 280 trips to the north, 275 to the south". */
  text({ name, part, counts, sums }) {
    const told = this.directions(part).map((word, index) => (counts[index] > 0 ? `${decimal(counts[index])} to the ${word}` : null));
    const weights = counts.length > 2 ? `; ${this.unit}: ${sums.filter((_, index) => counts[index] > 0).map((sum) => decimal(sum, sum % 1 ? 1 : 0)).join(", ")}` : "";
    return `${name}: trips ${told.filter(Boolean).join(", ")}${weights}`;
  }
}

/**
 * Streets drawn with a width by the change in trips: an increase in one colour, a decrease in another. `streets` of `flows` are
 * `[name, line, before and now along it, before and now against it]`, the greatest changes first.
 */
class ChangedFlows extends Flows {
  constructor(explorer, flows) {
    super(explorer, { ...flows, streets: flows.streets.map(([name, line, ...values]) => [name, line, values[1] - values[0], values[3] - values[2]]) });
    flows.streets.toReversed().forEach(([, , ...values], index) => { this.lines[index].values = values; });
  }

  color(flow) { return flow > 0 ? "--more" : "--less"; }

  legend() {
    const last = this.limits.at(-1);
    const over = last ? ` (widest: over ${decimal(last)})` : "";
    const items = [{ color: "--more", text: `more ${this.unit}${over}`, shape: "line" }, { color: "--less", text: `fewer ${this.unit}${over}`, shape: "line" }];
    return inUse(items, this.lines.flatMap(({ sums }) => sums.filter(Boolean)), (sum) => (sum > 0 ? 0 : 1));
  }

  text({ name, part, values }) {
    const told = this.directions(part).map((word, index) => {
      const [before, now] = values.slice(index * 2, index * 2 + 2);
      return before === now ? null : `${decimal(now)} instead of ${decimal(before)} to the ${word}`;
    });
    return `${name}: ${this.unit} ${told.filter(Boolean).join(", ")}`;
  }
}

/** Adds to the canvas's path a line that lies `aside` pixels to the right of another. */
function traceAside(context, tile, part, aside) {
  const points = [];
  for (let i = 0; i < part.length; i += 2) {
    const point = [tile.x(part[i]), tile.y(part[i + 1])];
    const last = points.at(-1);
    if (!last || Math.hypot(point[0] - last[0], point[1] - last[1]) >= 1 || i + 2 >= part.length) points.push(point);
  }
  points.forEach(([x, y], index) => {
    const [before, after] = [points[Math.max(0, index - 1)], points[Math.min(points.length - 1, index + 1)]];
    const [dx, dy] = [after[0] - before[0], after[1] - before[1]];
    const far = Math.hypot(dx, dy) || 1;
    context[index ? "lineTo" : "moveTo"](x - (dy / far) * aside, y + (dx / far) * aside);
  });
}
