/**
 * Returns the cells of a lattice of points: hexagons if each point has six neighbours, squares if it has four. Null if the
 * points are not a lattice.
 *
 * Samples the distance and direction from a point to its nearest neighbour: in a lattice, the quartiles of the distances
 * agree within 8 %, and the directions are 60 or 90 degrees apart.
 */
function latticeOf(points) {
  if (points.length < 12) return null;
  const every = Math.max(1, Math.floor(points.length / 300));
  const [distances, angles] = [[], []];
  for (let i = 0; i < points.length; i += every) {
    let [nearest, least] = [null, Infinity];
    for (const other of points) {
      const square = (other.x - points[i].x) ** 2 + (other.y - points[i].y) ** 2;
      if (square > 0 && square < least) [nearest, least] = [other, square];
    }
    if (!nearest) return null;
    distances.push(Math.sqrt(least));
    angles.push(Math.atan2(nearest.y - points[i].y, nearest.x - points[i].x));
  }
  distances.sort((a, b) => a - b);
  const quantile = (part) => distances[Math.floor((distances.length - 1) * part)];
  if (quantile(0.75) > quantile(0.25) * 1.08) return null;
  // How well the directions agree, apart from turns of a sixth or a fourth of a full turn.
  const agreement = (fold) => {
    const sum = (turn) => angles.reduce((total, angle) => total + turn(angle * fold), 0) / angles.length;
    const [x, y] = [sum(Math.cos), sum(Math.sin)];
    return { fold, strength: Math.hypot(x, y), angle: Math.atan2(y, x) / fold };
  };
  // Both kinds of cells fit if all nearest neighbours are in one direction.
  const fitting = [agreement(6), agreement(4)].filter(({ strength }) => strength >= 0.8);
  const corners = fitting.reduce((found, fit) => found ?? cornersOf(points, every, quantile(0.5), fit), null);
  return corners && { corners, radius: Math.max(...corners.map(([x, y]) => Math.hypot(x, y))) };
}

/** Returns the corners of a cell in order, each equidistant from the cell's centre and those of two neighbours. */
function cornersOf(points, every, distance, { fold, angle }) {
  const sums = Array.from({ length: fold }, () => [0, 0, 0]);
  // Some sides of a cell may be up to 2.4 times as long as others, as on a grid in degrees at 65° of latitude.
  const reach = (distance * (fold === 6 ? 1.4 : 2.4)) ** 2;
  for (let i = 0; i < points.length; i += every) {
    // The nearest neighbour on each side.
    const nearest = Array(fold).fill(null);
    for (const other of points) {
      const [dx, dy] = [other.x - points[i].x, other.y - points[i].y];
      const square = dx * dx + dy * dy;
      if (square === 0 || square >= reach) continue;
      const direction = ((Math.atan2(dy, dx) - angle) * fold) / (2 * Math.PI);
      const turn = Math.round(direction);
      const side = ((turn % fold) + fold) % fold;
      if (Math.abs(direction - turn) < 0.24 && !(square >= nearest[side]?.square)) nearest[side] = { dx, dy, square };
    }
    // The cell is symmetric.
    nearest.forEach((found, side) => {
      for (const [index, sign] of found ? [[side, 1], [(side + fold / 2) % fold, -1]] : []) {
        const [x, y, count] = sums[index];
        sums[index] = [x + sign * found.dx, y + sign * found.dy, count + 1];
      }
    });
  }
  if (sums.some(([, , count]) => count === 0)) return null;
  const sides = sums.map(([x, y, count]) => [x / count, y / count]);
  const areas = sides.map(([ax, ay], index) => { const [bx, by] = sides[(index + 1) % fold]; return ax * by - ay * bx; });
  // Without neighbours at suitable distances and angles, the sides would not meet.
  if (areas.some((area) => area <= (distance * distance) / 2)) return null;
  return sides.map(([ax, ay], index) => {
    const [bx, by] = sides[(index + 1) % fold];
    const [a, b, area] = [(ax * ax + ay * ay) / 2, (bx * bx + by * by) / 2, areas[index]];
    return [(a * by - b * ay) / area, (b * ax - a * bx) / area];
  });
}

/**
 * Paints cells in the colours of their values: `shade(cell)` is 0 to 5, null for a cell without a value, which is hatched,
 * or undefined for a cell that is not drawn.
 */
function paintCells(context, tile, { corners, radius }, cells, shade, palette = "--c") {
  const found = new Map();
  for (const cell of cells) {
    const [value, { x, y }] = [shade(cell), cell];
    if (value === undefined || !meets([x - radius, y - radius, x + radius, y + radius], tile.box)) continue;
    if (!found.has(value)) found.set(value, []);
    found.get(value).push(cell);
  }
  for (const [value, drawn] of found) {
    context.beginPath();
    for (const { x, y } of drawn) {
      corners.forEach(([dx, dy], index) => context[index ? "lineTo" : "moveTo"](tile.x(x + dx), tile.y(y + dy)));
      context.closePath();
    }
    context.globalAlpha = value === null ? 0.5 : 0.74;
    context.fillStyle = value === null ? hatched(context) : colors.of(`${palette}${value}`);
    context.fill();
    context.globalAlpha = 1;
    if (radius * 256 * 2 ** tile.zoom < 3) continue;
    [context.strokeStyle, context.lineWidth] = [colors.of("--land"), 0.6];
    context.stroke();
  }
}

/** Fills the context's path in the style of missing values: hatched, with a rim. */
function fillNone(context, rule) {
  for (const style of [colors.of("--land"), hatched(context)]) {
    context.fillStyle = style;
    context.fill(rule);
  }
  [context.strokeStyle, context.lineWidth] = [colors.of("--soft"), 1];
  context.stroke();
}

/** Returns the pattern for missing values: diagonal lines, four pixels apart. */
function hatched(context) {
  if (colors.found.has("hatched")) return colors.found.get("hatched");
  const canvas = element("canvas", { width: 8, height: 8 });
  const lines = canvas.getContext("2d");
  [lines.strokeStyle, lines.lineWidth] = [colors.of("--ink"), 1];
  lines.beginPath();
  for (const start of [-8, -4, 0, 4, 8]) {
    lines.moveTo(start, 8);
    lines.lineTo(start + 8, 0);
  }
  lines.stroke();
  colors.found.set("hatched", context.createPattern(canvas, "repeat"));
  return colors.found.get("hatched");
}
