/**
 * Streets as wide as the trips on them; from zoom 14 on each direction for itself, to the right of its way.
 *
 * `flows` has `unit`, `limits` and `widths` of the classes, `names`, and `streets`: `[name, line, trips along it, trips
 * against it, weight along it, weight against it]`, the greatest first; weights only where pairs have them.
 */
class Flows {
  static directed = 14;

  constructor(explorer, flows) {
    Object.assign(this, { explorer, ...flows, isFaint: false });
    this.lines = flows.streets.map(([name, line, ...counts]) => {
      const parts = decoded(line);
      return { name: flows.names[name], part: parts[0] ?? new Float64Array(), box: boxAround(parts), counts, sums: counts.length > 2 ? counts.slice(2) : counts };
    }).reverse();
    this.layer = explorer.add({
      name: `${this.unit} on each street`, toggle: true,
      paint: (context, tile) => this.paint(context, tile), find: (x, y, reach) => this.find(x, y, reach),
    });
  }

  shade(flow) {
    const index = this.limits.findIndex((limit) => flow <= limit);
    return this.widths.length - 1 - this.limits.length + (index < 0 ? this.limits.length : index);
  }

  legend() {
    const first = this.widths.length - 1 - this.limits.length;
    const items = this.limits.map((limit, index) => ({ color: `--f${first + index}`, text: `up to ${decimal(limit, limit % 1 ? 1 : 0)}`, shape: "line" }));
    const last = this.limits.length ? `over ${decimal(this.limits.at(-1))}` : "some";
    return [...items, { color: `--f${this.widths.length - 1}`, text: last, shape: "line" }];
  }

  paint(context, tile) {
    const isDirected = tile.zoom >= Flows.directed;
    const drawn = this.widths.map(() => []);
    for (const line of this.lines) {
      if (!meets(line.box, tile.box)) continue;
      const [along, against] = line.sums;
      if (!isDirected) { drawn[this.shade(along + against)].push([line.part, 0]); continue; }
      // Where nobody comes the other way, the line is in the middle.
      const side = along > 0 && against > 0 ? 1 : 0;
      if (along > 0) drawn[this.shade(along)].push([line.part, side]);
      if (against > 0) drawn[this.shade(against)].push([line.part, -side]);
    }
    context.globalAlpha = this.isFaint ? 0.25 : 1;
    context.lineCap = "butt";
    drawn.forEach((lines, shade) => {
      const width = this.widths[shade] * (isDirected ? 1.2 : 1);
      context.beginPath();
      for (const [part, side] of lines) {
        if (side) traceAside(context, tile, part, side * (width / 2 + 1)); else trace(context, tile, [part]);
      }
      [context.strokeStyle, context.lineWidth] = [colors.of(`--f${shade}`), width];
      context.stroke();
    });
    context.lineCap = "round";
    context.globalAlpha = 1;
  }

  find(x, y, reach) {
    const near = [x - reach, y - reach, x + reach, y + reach];
    let [nearest, least] = [null, reach * reach];
    for (const line of this.lines) {
      if (!meets(line.box, near)) continue;
      const square = squaredDistance(line.part, x, y);
      if (square < least) [nearest, least] = [line, square];
    }
    return nearest && { line: nearest, text: this.text(nearest) };
  }

  /** "Rua do Ouro: 280 trips to the north, 275 to the south". */
  text({ name, part, counts, sums }) {
    const words = ["east", "southeast", "south", "southwest", "west", "northwest", "north", "northeast"];
    const turn = Math.atan2(part[part.length - 1] - part[1], part[part.length - 2] - part[0]) / (Math.PI / 4);
    const told = [0, 4].map((opposite, index) => (counts[index] > 0 ? `${decimal(counts[index])} to the ${words[(Math.round(turn) + 8 + opposite) % 8]}` : null));
    const weights = counts.length > 2 ? `; ${this.unit}: ${sums.filter((_, index) => counts[index] > 0).map((sum) => decimal(sum, sum % 1 ? 1 : 0)).join(", ")}` : "";
    return `${name}: trips ${told.filter(Boolean).join(", ")}${weights}`;
  }
}

/** Adds a line to the canvas's path that lies some pixels to the right of another. */
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
