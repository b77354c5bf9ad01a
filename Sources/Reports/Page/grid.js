/**
 * Travel times on a grid, from which the area within any time is drawn. In the argument, `west`, `north` and the `width` and
 * `height` of a cell are in degrees, `step` is in seconds. `text` has a byte per cell: the time in steps, or 255 if unreached,
 * as the difference from the previous cell; deflated, in base64.
 */
class Grid {
  constructor([place, hour, west, north, width, height, columns, rows, step, text]) {
    Object.assign(this, { place, hour, west, north, width, height, columns, rows, step, text, times: null });
    // The centres of cells, in Web Mercator coordinates.
    this.xs = Float64Array.from({ length: columns }, (_, column) => world(0, west + (column + 0.5) * width)[0]);
    this.ys = Float64Array.from({ length: rows }, (_, row) => world(north - (row + 0.5) * height, 0)[1]);
    this.box = [this.xs[0], this.ys[0], this.xs.at(-1), this.ys.at(-1)];
    this.cell = width * height * (Math.PI / 180) ** 2 * 6_371_008.8 ** 2 * Math.cos((north - (rows * height) / 2) * (Math.PI / 180));
    this.metres = (height * Math.PI * 6_371_008.8) / 180;
  }

  async read() {
    const times = await inflated(this.text);
    for (let i = 0, last = 255; i < times.length; i++) last = times[i] = (times[i] + last) & 255;
    [this.times, this.text] = [times, null];
  }

  /** Returns the area within a number of seconds, in square metres. */
  area(seconds) {
    const most = seconds / this.step;
    let count = 0;
    for (const time of this.times ?? []) if (time <= most && time < 255) count++;
    return count * this.cell;
  }

  /** Returns the box around all cells within a number of seconds, or around the whole grid if there are none. */
  boxWithin(seconds) {
    const points = [];
    (this.times ?? []).forEach((time, index) => { if (time <= seconds / this.step && time < 255) points.push(this.xs[index % this.columns], this.ys[Math.floor(index / this.columns)]); });
    return points.length ? boxAround([points]) : this.box;
  }

  /** Returns the seconds at a point in Web Mercator coordinates; null if it is unreached. */
  at(x, y) {
    if (!this.times || !meets(this.box, [x, y, x, y])) return null;
    const column = Math.floor(((x - world(0, this.west)[0]) * 360) / this.width);
    const time = this.times[Math.floor((this.north - place([x, y]).lat) / this.height) * this.columns + column];
    return time === 255 ? null : time * this.step;
  }

  /**
   * Adds the area within a number of seconds to the canvas's path: marching squares between the centres of cells (W. Lorensen
   * and H. Cline 1987), with edges at the interpolated time.
   */
  trace(context, tile, seconds) {
    if (!this.times || !meets(this.box, tile.box)) return;
    const { columns, rows, times, xs, ys } = this;
    const most = seconds / this.step + 0.5;
    const range = (values, least, greatest) => {
      let [first, last] = [0, values.length - 1];
      while (first < last && values[first + 1] < least) first++;
      while (last > first && values[last - 1] > greatest) last--;
      return [first, last];
    };
    const [left, right] = range(xs, tile.box[0], tile.box[2]);
    const [top, bottom] = range(ys, tile.box[1], tile.box[3]);
    // Next to an unreached cell the edge is halfway.
    const part = (inner, outer) => (outer === 255 ? 0.5 : Math.min(1, Math.max(0, (most - inner) / (outer - inner || 1))));
    for (let row = top; row < bottom; row++) {
      const [north, south] = [tile.y(ys[row]), tile.y(ys[row + 1])];
      // Consecutive squares that are entirely inside are drawn as one rectangle.
      let start = null;
      const end = (x) => { if (start !== null) { context.rect(start - 0.3, north - 0.3, x - start + 0.6, south - north + 0.6); start = null; } };
      for (let column = left; column < right; column++) {
        const index = row * columns + column;
        const corners = [times[index], times[index + 1], times[index + columns + 1], times[index + columns]];
        const inside = corners.map((time) => time <= most && time < 255);
        const [west, east] = [tile.x(xs[column]), tile.x(xs[column + 1])];
        if (inside.every(Boolean)) { start ??= west; continue; }
        end(west);
        if (!inside.some(Boolean)) continue;
        const points = [[west, north], [east, north], [east, south], [west, south]];
        let isFirst = true;
        const to = (x, y) => { context[isFirst ? "moveTo" : "lineTo"](x, y); isFirst = false; };
        for (let corner = 0; corner < 4; corner++) {
          const next = (corner + 1) % 4;
          if (inside[corner]) to(...points[corner]);
          if (inside[corner] === inside[next]) continue;
          const [from, toward] = inside[corner] ? [corner, next] : [next, corner];
          const far = part(corners[from], corners[toward]);
          to(points[from][0] + (points[toward][0] - points[from][0]) * far, points[from][1] + (points[toward][1] - points[from][1]) * far);
        }
        context.closePath();
      }
      end(tile.x(xs[right]));
    }
  }
}
