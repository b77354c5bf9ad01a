/** The basemap under the results: sea, parks, water, railways, streets and names. */
class Backdrop {
  /** Layers from the bottom up. */
  static order = ["sea", "park", "water", "railway", "street"];

  /** Street classes from the least to the most important, with their widths at zooms 10, 14 and 18. */
  static classes = {
    path: [0.3, 0.6, 3], track: [0.3, 0.6, 3], other: [0.4, 1, 3], service: [0.4, 0.8, 6], livingStreet: [0.4, 1.4, 10],
    street: [0.5, 1.6, 12], tertiary: [0.7, 2.4, 14], secondary: [1, 3, 16], primary: [1.4, 3.6, 18],
    trunk: [1.8, 4, 20], motorway: [2, 4.5, 22],
  };

  constructor(rows) {
    this.features = [];
    this.places = [];
    /** Polygons of the input, by place id. */
    this.areas = new Map();
    /** The extent of the map; null in old results, and across the antimeridian, where its box surrounds the world. */
    this.extent = null;
    for (const [layer, kind, minZoom, texts] of rows) {
      for (let i = 0; i < texts.length; i += 2) {
        const parts = decoded(texts[i + 1]);
        if (!parts.length) continue;
        const [name, box] = [texts[i], boxAround(parts)];
        if (layer === "area") this.areas.set(name, { parts, box });
        else if (layer === "hills") this.hills = new Hills(name, box);
        else if (layer === "extent") this.extent = crossesAntimeridian ? null : box;
        else (layer === "place" ? this.places : this.features).push({ layer, kind, minZoom, name, parts, box });
      }
    }
    const rank = Object.keys(Backdrop.classes);
    const above = (feature) => Backdrop.order.indexOf(feature.layer) * 100 + rank.indexOf(feature.kind);
    this.features.sort((a, b) => above(a) - above(b));
    this.places.sort((a, b) => a.minZoom - b.minZoom);
    /** For each street class, the zooms at which finer lines begin, in descending order. */
    this.levels = new Map();
    for (const { layer, kind, minZoom } of this.features) {
      if (layer !== "street") continue;
      if (!this.levels.has(kind)) this.levels.set(kind, []);
      if (!this.levels.get(kind).includes(minZoom)) this.levels.get(kind).push(minZoom);
    }
    for (const levels of this.levels.values()) levels.sort((a, b) => b - a);
    if (this.extent) this.addEdgeLabels();
  }

  /** Adds a label outside the middle of each edge of the map. */
  addEdgeLabels() {
    const [left, top, right, bottom] = this.extent;
    for (const aside of [[-1, 0], [1, 0], [0, -1], [0, 1]]) {
      const [x, y] = [(left + right + aside[0] * (right - left)) / 2, (top + bottom + aside[1] * (bottom - top)) / 2];
      this.places.push({ layer: "extent", kind: "", minZoom: 0, name: "edge of the map", parts: [Float64Array.of(x, y)], aside });
    }
  }

  /** Whether a feature is drawn at a zoom; streets only with the finest lines for that zoom. */
  isDrawn({ layer, kind, minZoom }, zoom) {
    return minZoom <= zoom && (layer !== "street" || minZoom === this.levels.get(kind).find((level) => level <= zoom));
  }

  static width(kind, zoom) {
    const [far, middle, near] = Backdrop.classes[kind] ?? [0.4, 1, 6];
    return zoom < 14 ? far * (middle / far) ** Math.max(0, (zoom - 10) / 4) : middle * (near / middle) ** ((zoom - 14) / 4);
  }

  /** Whether a feature is an area: its first line is a closed ring. */
  static isArea(feature) {
    const ring = feature.parts[0];
    return ring.length >= 8 && ring[0] === ring[ring.length - 2] && ring[1] === ring[ring.length - 1];
  }

  paint(context, tile) {
    const major = new Set(["motorway", "trunk", "primary", "secondary"]);
    const paths = new Map();
    for (const feature of this.features) {
      if (!this.isDrawn(feature, tile.zoom) || !meets(feature.box, tile.box)) continue;
      const { layer, kind } = feature;
      const isArea = layer !== "street" && layer !== "railway" && Backdrop.isArea(feature);
      const key = `${layer} ${kind} ${isArea}`;
      if (!paths.has(key)) paths.set(key, { layer, kind, isArea, features: [] });
      paths.get(key).features.push(feature);
    }
    // Hills are drawn above parks, and below water and streets.
    let isShaded = !this.hills;
    for (const { layer, kind, isArea, features } of paths.values()) {
      if (!isShaded && layer !== "park" && layer !== "sea") isShaded = this.hills.paint(context, tile);
      const variable = layer === "street" ? (major.has(kind) ? "--major" : "--street") : { sea: "--water", water: "--water", park: "--park", railway: "--rail" }[layer];
      context.beginPath();
      for (const feature of features) {
        trace(context, tile, feature.parts);
        // The inner rings of an area are holes, but overlaps of areas are not, so each area is filled separately.
        if (isArea) {
          context.fillStyle = colors.of(variable);
          context.fill("evenodd");
          // The sea consists of squares: outlines hide the seams.
          if (layer === "sea") { [context.strokeStyle, context.lineWidth] = [colors.of(variable), 1]; context.stroke(); }
          context.beginPath();
        }
      }
      if (isArea) continue;
      context.strokeStyle = colors.of(variable);
      context.lineWidth = layer === "street" ? Backdrop.width(kind, tile.zoom) : layer === "railway" ? 1 : Math.max(0.8, (tile.zoom - 9) / 3);
      context.setLineDash(layer === "railway" ? [6, 4] : kind === "other" ? [4, 5] : []);
      context.stroke();
    }
    context.setLineDash([]);
    if (!isShaded) this.hills.paint(context, tile);
    if (this.extent) this.paintOutside(context, tile);
  }

  /** Draws the larger streets faintly again, above the cells that hide them. */
  paintAbove(context, tile) {
    const classes = new Set(["motorway", "trunk", "primary", "secondary", ...(tile.zoom >= 13 ? ["tertiary"] : []), ...(tile.zoom >= 15 ? ["street", "livingStreet"] : [])]);
    [context.strokeStyle, context.globalAlpha] = [colors.of("--land"), 0.5];
    for (const kind of classes) {
      context.beginPath();
      for (const feature of this.features)
        if (feature.layer === "street" && feature.kind === kind && this.isDrawn(feature, tile.zoom) && meets(feature.box, tile.box)) trace(context, tile, feature.parts);
      context.lineWidth = Math.max(0.8, Backdrop.width(kind, tile.zoom) * 0.7);
      context.stroke();
    }
    context.globalAlpha = 1;
  }

  /** Hatches the area outside the map. */
  paintOutside(context, tile) {
    const [left, top, right, bottom] = this.extent;
    const [west, north, east, south] = tile.box;
    if (left <= west && top <= north && right >= east && bottom >= south) return;
    const [x, y, farX, farY] = [tile.x(west), tile.y(north), tile.x(east), tile.y(south)];
    context.save();
    context.beginPath();
    context.rect(x, y, farX - x, farY - y);
    context.rect(tile.x(left), tile.y(top), tile.x(right) - tile.x(left), tile.y(bottom) - tile.y(top));
    context.clip("evenodd");
    context.beginPath();
    // Lines are eight pixels apart, counted from the corner of the world, so they continue across tiles.
    const start = tile.x(0) + tile.y(0);
    for (let sum = start + Math.ceil((x + y - start) / 8) * 8; sum < farX + farY; sum += 8) {
      context.moveTo(sum - y, y);
      context.lineTo(sum - farY, farY);
    }
    [context.strokeStyle, context.lineWidth, context.globalAlpha] = [colors.of("--soft"), 1, 0.3];
    context.stroke();
    context.restore();
  }

  /** Whether a point, in web map coordinates, is outside the map. */
  isBeyond(x, y) { return Boolean(this.extent) && (x < this.extent[0] || y < this.extent[1] || x > this.extent[2] || y > this.extent[3]); }

  /** The name of the nearest street to a point within `reach`, in web map coordinates. */
  nameAt(x, y, reach, zoom) {
    return nearestLine(this.features, x, y, reach, (feature) => feature.layer === "street" && feature.name && this.isDrawn(feature, zoom))?.name ?? "";
  }
}

/**
 * The shade of hills: `columns rows text` with one byte per cell, row by row from the north, deflated, in base64; 180 is
 * level ground.
 */
class Hills {
  constructor(text, box) {
    const [columns, rows, bytes] = text.split(" ");
    Object.assign(this, { columns: Number(columns), rows: Number(rows), bytes, box, picture: null });
  }

  /** Reads the cells, and calls `done` when the hills can be painted; browsers that cannot read them paint none. */
  async read(done) {
    if (!inflates) return;
    const light = await inflated(this.bytes);
    const picture = element("canvas", { width: this.columns, height: this.rows });
    const context = picture.getContext("2d");
    const image = context.createImageData(this.columns, this.rows);
    light.forEach((value, cell) => {
      // Shaded slopes are black, lit slopes are white, and level ground is transparent.
      const part = (value - 180) / 180;
      image.data.fill(part > 0 ? 255 : 0, cell * 4, cell * 4 + 3);
      image.data[cell * 4 + 3] = Math.min(255, Math.abs(part) * (part > 0 ? 500 : 260));
    });
    context.putImageData(image, 0, 0);
    this.picture = picture;
    done();
  }

  paint(context, tile) {
    if (!this.picture || !meets(this.box, tile.box)) return true;
    const [west, north, east, south] = this.box;
    context.globalAlpha = 0.55;
    context.imageSmoothingQuality = "high";
    // Cells have equal heights in degrees; within a town, their heights on a web map differ by less than a pixel.
    context.drawImage(this.picture, tile.x(west), tile.y(north), tile.x(east) - tile.x(west), tile.y(south) - tile.y(north));
    context.globalAlpha = 1;
    return true;
  }
}

/**
 * Names on the map, without overlaps: those of the results' own places first, then the larger places, then streets. They
 * leave room for the legend, the buttons and the marks of these places.
 */
const PlaceNames = L.Layer.extend({
  initialize(places, backdrop) { [this.places, this.backdrop] = [places, backdrop]; },
  onAdd(map) {
    this.pane = element("div", { class: "names", "aria-hidden": "true" });
    map.getPane("names").append(this.pane);
    this.pen = element("canvas").getContext("2d");
    this.family = getComputedStyle(map.getContainer()).fontFamily;
    map.on("zoomend moveend resize", this.write, this);
    this.write();
  },
  write() {
    const map = this._map;
    const [zoom, size] = [map.getZoom(), map.getSize()];
    const frame = map.getContainer();
    const corner = frame.getBoundingClientRect();
    const taken = [...frame.parentElement.querySelectorAll(".key, .leaflet-control")].map((part) => {
      const { left, top, right, bottom } = part.getBoundingClientRect();
      return [left - corner.left, top - corner.top, right - corner.left, bottom - corner.top];
    });
    const around = ({ x, y }, wide, high) => [x - wide, y - high, x + wide, y + high];
    const shown = this.places.filter(({ minZoom }) => minZoom <= zoom).map((each) => ({ ...each, point: map.latLngToContainerPoint(place(each.parts[0])) })).filter(({ point }) => size.x >= point.x && size.y >= point.y && point.x >= 0 && point.y >= 0);
    for (const { kind, point } of shown) if (kind === "own") taken.push(around(point, 5, 5));
    const names = [];
    for (const { name, kind, point, aside } of shown) {
      if (names.length >= 60) break;
      const isLarge = kind === "city" || kind === "town" || kind === "own";
      const [width, height] = [this.width(name, isLarge ? "600 14px" : "12px"), isLarge ? 20 : 18];
      // The results' own places have their names next to their marks: above them, if there is room.
      const sides = kind === "own" ? [[0, -1], [0, 1], [1, 0], [-1, 0]] : [aside ?? [0, 0]];
      const middle = sides.map(([x, y]) => point.add([x * (width / 2 + 6), y * (height / 2 + 6)])).find((spot) => {
        const box = around(spot, width / 2, height / 2);
        return box[0] >= 0 && box[1] >= 0 && box[2] <= size.x && box[3] <= size.y && !taken.some((other) => meets(other, box));
      });
      if (!middle) continue;
      taken.push(around(middle, width / 2, height / 2));
      const label = element("span", { class: isLarge ? "large" : "small" }, name);
      L.DomUtil.setPosition(label, map.containerPointToLayerPoint(middle).round());
      names.push(label);
    }
    if (zoom >= PlaceNames.streetZoom && this.backdrop) names.push(...this.streetNames(map, zoom, size, taken));
    this.pane.replaceChildren(...names);
  },

  /** Returns the width of a name in pixels, with a margin. */
  width(name, font) {
    this.pen.font = `${font} ${this.family}`;
    return this.pen.measureText(name).width + 8;
  },

  /** Street names along the longest straight piece in view, without overlaps, each at most twice. */
  streetNames(map, zoom, size, taken) {
    const [scale, corner] = [256 * 2 ** zoom, map.getPixelBounds().min];
    const view = [corner.x / scale, corner.y / scale, (corner.x + size.x) / scale, (corner.y + size.y) / scale];
    const [labels, count] = [[], new Map()];
    // Only the pieces of the picked line that are in view: a line across the map has very many.
    const pieces = (this.lines ?? []).flatMap((part) => Array.from({ length: part.length / 2 - 1 }, (_, i) => part.subarray(i * 2, i * 2 + 4))).filter((piece) => meets(boxAround([piece]), view));
    for (const feature of [...this.backdrop.features].reverse()) {
      if (labels.length >= 60) break;
      const { layer, name, box, parts } = feature;
      if (layer !== "street" || !name || (count.get(name) ?? 0) > 1 || !meets(box, view) || !this.backdrop.isDrawn(feature, zoom)) continue;
      const [best, width] = [PlaceNames.straightest(parts, scale, corner, size), this.width(name, "11px")];
      if (!best || best.length < width) continue;
      const isUnder = pieces.some((piece) => squaredDistance(piece, (best.x + corner.x) / scale, (best.y + corner.y) / scale) < (8 / scale) ** 2);
      const aside = isUnder ? 13 : 0;
      const [x, y] = [best.x + aside * Math.sin(best.angle), best.y - aside * Math.cos(best.angle)];
      // The bounding box of the rotated label.
      const [wide, high] = [Math.abs(width * Math.cos(best.angle)) + 14, Math.abs(width * Math.sin(best.angle)) + 14];
      const room = [x - wide / 2, y - high / 2, x + wide / 2, y + high / 2];
      if (room[0] < 0 || room[1] < 0 || room[2] > size.x || room[3] > size.y || taken.some((other) => meets(other, room))) continue;
      taken.push(room);
      count.set(name, (count.get(name) ?? 0) + 1);
      const label = element("span", { class: "street" }, element("i", { style: `rotate:${best.angle}rad` }, name));
      L.DomUtil.setPosition(label, map.containerPointToLayerPoint(L.point(x, y)).round());
      labels.push(label);
    }
    return labels;
  },
});

/** The zoom from which streets have names. */
PlaceNames.streetZoom = 15;

/** The longest nearly straight piece of lines in view: its middle and length in pixels, and its angle in radians. */
PlaceNames.straightest = (parts, scale, corner, size) => {
  let best = null;
  for (const part of parts) {
    const at = (i) => [part[i * 2] * scale - corner.x, part[i * 2 + 1] * scale - corner.y];
    for (let start = 0; start + 1 < part.length / 2; ) {
      const from = at(start);
      const second = at(start + 1);
      const angle = Math.atan2(second[1] - from[1], second[0] - from[0]);
      let [end, last] = [start + 1, second];
      while (end + 1 < part.length / 2) {
        const next = at(end + 1);
        const turn = Math.atan2(next[1] - last[1], next[0] - last[0]) - angle;
        if (Math.cos(turn) < 0.985) break;
        [end, last] = [end + 1, next];
      }
      const [x, y, length] = [(from[0] + last[0]) / 2, (from[1] + last[1]) / 2, Math.hypot(last[0] - from[0], last[1] - from[1])];
      if (x > 0 && y > 0 && x < size.x && y < size.y && (!best || length > best.length)) {
        best = { x, y, length, angle: Math.atan((last[1] - from[1]) / (last[0] - from[0] || 1e-9)) };
      }
      start = end;
    }
  }
  return best;
};
