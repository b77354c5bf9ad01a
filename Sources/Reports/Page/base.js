"use strict";
// What all parts of the script use: elements, numbers as the page writes them, and lines as the page stores them.

/** An element with attributes and children; texts are texts, never HTML. */
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

/** The same of a drawing. */
function drawing(tag, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

/** A small table; heads that begin with "#" are of numbers. `rows` have a text or an element for each head. */
function tableOf(caption, heads, rows, attributes) {
  const row = (tag, cells, scope) => element("tr", {}, cells.map((cell, column) => element(tag, { scope, class: heads[column].startsWith("#") ? "n" : null }, cell)));
  return element("table", attributes, typeof caption === "string" ? element("caption", {}, caption) : caption, element("thead", {}, row("th", heads.map((head) => head.replace("#", "")), "col")),
    element("tbody", {}, rows.map((cells) => row("td", cells))));
}

const thin = "\u202f";

/** Between a number and its unit, so that no line ends there. */
const noBreak = "\u00a0";

/** Letters of scripts that are read from right to left: Hebrew, Arabic and their neighbours. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A text that keeps its own direction among others, by Unicode's isolates: "A → B" stays in this order. */
function isolated(text) { return rightToLeft.test(text) ? `\u2068${text}\u2069` : text; }

/** A text without these isolates, for other programs. */
function unisolated(text) { return String(text).replace(/[\u2068\u2069]/g, ""); }

/** The page's data, each text in its own direction. Encoded lines have letters of ASCII alone. */
function parsed(text) {
  return rightToLeft.test(text) ? JSON.parse(text, (_, value) => (typeof value === "string" ? isolated(value) : value)) : JSON.parse(text);
}

/** A number with some decimals, digits in threes from five digits on. */
function decimal(value, places = 0) {
  if (!Number.isFinite(value)) return "–";
  const [whole, rest] = Math.abs(value).toFixed(places).split(".");
  const grouped = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, thin) : whole;
  const isZero = Number(Math.abs(value).toFixed(places)) === 0;
  return (value < 0 && !isZero ? "−" : "") + grouped + (rest ? "." + rest : "");
}

/** A share in per cent: "53 %", under ten "7.6 %"; never nothing of what is little, nor all of what is less. */
function percent(share) {
  if (!Number.isFinite(share)) return "–";
  if (share === 0) return "none";
  if (share < 0) return `−${percent(-share)}`;
  const hundredths = share * 100;
  if (hundredths < 0.05) return `under 0.1${noBreak}%`;
  if (hundredths >= 99.5 && hundredths < 100) return `over 99${noBreak}%`;
  return `${decimal(hundredths, hundredths < 9.95 ? 1 : 0)}${noBreak}%`;
}

/** Seconds as people say them: "42 s", "7.5 min", "38 min", "1 h 37 min". */
function duration(seconds) {
  if (!Number.isFinite(seconds) || seconds < 0 || seconds >= 9e15) return "–";
  if (seconds < 59.5) return `${decimal(Math.round(seconds))}${noBreak}s`;
  const tenths = Math.round(seconds / 6);
  if (tenths < 100) return `${decimal(tenths / 10, tenths % 10 ? 1 : 0)}${noBreak}min`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes}${noBreak}min`;
  return `${decimal(Math.floor(minutes / 60))}${noBreak}h${minutes % 60 ? `${noBreak}${minutes % 60}${noBreak}min` : ""}`;
}

/** A threshold, which seconds do not round: "12.5 min", "1 h". */
function limitText(seconds) {
  if (seconds < 60 || seconds % 60 === 0) return duration(seconds);
  return `${decimal(seconds / 60, seconds % 6 && !(seconds % 3) ? 2 : 1)}${noBreak}min`;
}

/** A long id without its middle: ids often differ at their ends. */
function shortened(id) { return id.length > 20 ? `${id.slice(0, 6)}…${id.slice(-12)}` : id; }

/** An instant as people say it: "Mon 13 May 2019, 14:00"; other texts as they are. */
function moment(text) {
  const [, year, month, day, time] = /^(\d{4})-(\d\d)-(\d\d)T(\d\d:\d\d)/.exec(text ?? "") ?? [];
  if (!time) return text;
  const weekday = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][new Date(Date.UTC(year, month - 1, day)).getUTCDay()];
  const name = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"][month - 1];
  return `${weekday} ${Number(day)} ${name} ${year}, ${time}`;
}

/** What the rows of an axis are, by the name of one: "By percentile", or "By hour". */
function axisOf(name) { return name?.startsWith("percentile ") ? "By percentile" : "By hour"; }

/** Metres as people say them: "850 m", "4.2 km", "41 km". */
function length(metres) {
  if (metres === null || metres === undefined) return "–";
  if (metres < 999.5) return `${Math.round(metres)}${noBreak}m`;
  const tenths = Math.round(metres / 100);
  return `${decimal(tenths / 10, tenths < 100 && tenths % 10 ? 1 : 0)}${noBreak}km`;
}

/** Square metres as people say them, to two digits: "72 km²", "0.85 km²". */
function area(squareMetres) {
  if (squareMetres === null || squareMetres === undefined) return "–";
  if (squareMetres < 9500) return `${decimal(squareMetres)}${noBreak}m²`;
  const kilometres = squareMetres / 1e6;
  return `${decimal(kilometres, kilometres < 0.0995 ? 3 : kilometres < 0.995 ? 2 : kilometres < 9.95 ? 1 : 0)}${noBreak}km²`;
}

/** A point of the web's map, x eastward and y southward from 0 to 1 (EPSG:3857). */
function world(latitude, longitude) {
  const sine = Math.min(Math.max(Math.sin((latitude * Math.PI) / 180), -0.9999), 0.9999);
  return [(longitude + 180) / 360, 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)];
}

/** The place of a point of the web's map. */
function place([x, y]) {
  return L.latLng((Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI, x * 360 - 180);
}

/**
 * The parts of a geometry, each x, y, x, y, …: Encoded Polyline Algorithm Format (Google), latitude first in 1e-5
 * degrees, a space between parts.
 */
function decoded(text) {
  const parts = [];
  let [part, latitude, longitude, index] = [[], 0, 0, 0];
  const next = () => {
    let [value, shift, byte] = [0, 0, 0];
    do {
      byte = text.charCodeAt(index++) - 63;
      value |= (byte & 31) << shift;
      shift += 5;
    } while (byte >= 32);
    return value & 1 ? ~(value >> 1) : value >> 1;
  };
  while (index < text.length) {
    if (text.charCodeAt(index) === 32) {
      parts.push(Float64Array.from(part));
      [part, latitude, longitude] = [[], 0, 0];
      index++;
      continue;
    }
    latitude += next();
    longitude += next();
    part.push(...world(latitude / 1e5, longitude / 1e5));
  }
  if (part.length) parts.push(Float64Array.from(part));
  return parts;
}

/** Whether this browser can read deflated data. */
const inflates = typeof DecompressionStream === "function";

/** The bytes of deflated data in base64. */
async function inflated(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** The places in columns of the page's data, with `points` as one line: each with its `index`, `id`, `name`, `ok`, `x` and `y`. */
function placesOf({ id, name, ok, points }) {
  const [line] = decoded(points);
  return id.map((id, index) => ({ index, id, name: name[index], ok: ok[index] === 1, x: line[index * 2], y: line[index * 2 + 1] }));
}

/** The box around parts: x and y of its northwest, x and y of its southeast. */
function boxAround(parts) {
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  for (const part of parts) {
    for (let i = 0; i < part.length; i += 2) {
      if (part[i] < box[0]) box[0] = part[i];
      if (part[i] > box[2]) box[2] = part[i];
      if (part[i + 1] < box[1]) box[1] = part[i + 1];
      if (part[i + 1] > box[3]) box[3] = part[i + 1];
    }
  }
  return box;
}

/** The square of the distance of a point from a line, both in any one unit. */
function squaredDistance(part, x, y) {
  let least = Infinity;
  for (let i = 0; i < part.length; i += 2) {
    const [ax, ay] = [part[i], part[i + 1]];
    const j = i + 2 < part.length ? i + 2 : i;
    const [dx, dy] = [part[j] - ax, part[j + 1] - ay];
    const square = dx * dx + dy * dy;
    const along = square > 0 ? Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / square)) : 0;
    const [ex, ey] = [x - ax - along * dx, y - ay - along * dy];
    least = Math.min(least, ex * ex + ey * ey);
  }
  return least;
}

/** The colour that a variable of the style has now: light, dark or print. */
const colors = {
  found: new Map(),
  of(name) {
    if (!this.found.has(name))
      this.found.set(name, getComputedStyle(document.documentElement).getPropertyValue(name).trim());
    return this.found.get(name);
  },
};

/** What the address says of a word: report.html#at=14/41.15/-8.61&pair=17; null for nothing. */
function opened(word) {
  for (const part of location.hash.slice(1).split("&")) {
    const [key, text] = part.split("=");
    if (key !== word || text === undefined) continue;
    try { return isolated(decodeURIComponent(text)); } catch { return null; }
  }
  return null;
}

/** Sets a slider or a choice as a person does. */
function setControl(control, value) {
  control.value = value;
  control.dispatchEvent(new Event(control.type === "range" ? "input" : "change"));
}

/** What each kind of results adds to the map: `kinds.matrix = (explorer, data) => …`, in the kind's own file. */
const kinds = {};

/** The mean of the values that are known; null if none is. */
function mean(values) {
  const known = values.filter((value) => value !== null && value !== undefined);
  return known.length ? known.reduce((sum, value) => sum + value, 0) / known.length : null;
}
