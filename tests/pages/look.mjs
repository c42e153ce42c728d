// Shows pages in a headless Chromium, and fails where one is not fit to be looked at.
//
//   node tests/pages/look.mjs OUT PAGE.html…
//
// Each page is loaded at phone and desktop width, light and dark, and printed. The pictures and the
// PDF go to the folder OUT, to be looked at by a person. It fails on any console message, on any
// request but that for the page itself, on horizontal scrolling, on text of too little contrast, on
// headings out of order, and on ids that are not unique. It needs Node 20 and a Chromium, whose
// path CHROMIUM may name, and is no part of the test suite: without a browser it fails.

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [out, ...pages] = process.argv.slice(2);
if (!out || pages.length === 0) {
  console.error("usage: node tests/pages/look.mjs OUT PAGE.html…");
  process.exit(2);
}

const profile = mkdtempSync(join(tmpdir(), "look-"));
const program = process.env.CHROMIUM ?? "chromium";
const browser = spawn(
  program,
  [
    "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
    "--remote-debugging-pipe", `--user-data-dir=${profile}`, "about:blank",
  ],
  { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] },
);
browser.on("error", (error) => fail(`no Chromium: ${program}: ${error.message}`));

function fail(message) {
  console.error(`FAILED ${message}`);
  browser.kill("SIGKILL");
  process.exit(1);
}

// The protocol over the pipe: JSON messages ended by NUL.
let next = 0;
let rest = Buffer.alloc(0);
const waiting = new Map();
let heard = [];
browser.stdio[4].on("data", (bytes) => {
  rest = Buffer.concat([rest, bytes]);
  for (let end = rest.indexOf(0); end >= 0; end = rest.indexOf(0)) {
    const message = JSON.parse(rest.subarray(0, end).toString());
    rest = rest.subarray(end + 1);
    if (message.id) {
      const { done, failed } = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.error) failed(new Error(message.error.message));
      else done(message.result);
    } else {
      heard.push(message);
    }
  }
});

function send(method, params = {}, sessionId) {
  const id = ++next;
  browser.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
  return new Promise((done, failed) => waiting.set(id, { done, failed }));
}

async function until(what, wanted) {
  for (let turn = 0; turn < 600; turn += 1) {
    if (heard.some(wanted)) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  fail(`${what} did not come`);
}

// What the page itself can be asked. It runs in the page, so that it holds all it needs.
function inspect() {
  const wrong = [];
  const width = document.documentElement.clientWidth;
  const scroll = document.documentElement.scrollWidth;
  if (scroll > width) {
    const wide = [...document.querySelectorAll("body *")].filter((e) => e.getBoundingClientRect().right > width + 1);
    wrong.push(`scrolls sideways: ${scroll} > ${width}, first ${wide[0]?.outerHTML.slice(0, 120)}`);
  }
  const ids = [...document.querySelectorAll("[id]")].map((e) => e.id);
  if (new Set(ids).size !== ids.length) wrong.push("ids are not unique");
  const levels = [...document.querySelectorAll("h1,h2,h3,h4")].map((e) => Number(e.tagName[1]));
  if (levels[0] !== 1 || levels.filter((l) => l === 1).length !== 1) wrong.push("not one first heading");
  levels.forEach((level, at) => {
    if (at > 0 && level > levels[at - 1] + 1) wrong.push(`heading ${at} skips a level`);
  });
  if (!document.documentElement.lang) wrong.push("no language");
  if (!document.querySelector("main") || !document.querySelector("header")) wrong.push("no landmarks");
  for (const table of document.querySelectorAll("table")) {
    if (!table.caption || !table.querySelector("th[scope=col]")) wrong.push("a table without heads");
  }
  for (const svg of document.querySelectorAll("svg")) {
    if (!svg.querySelector("title") || !svg.querySelector("desc")) wrong.push("a picture without words");
  }
  const rgb = (text) => text.match(/[\d.]+/g).map(Number);
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  let least = 99;
  for (const element of document.querySelectorAll("body *:not(svg *)")) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!own) continue;
    let back = element;
    while (back && rgb(getComputedStyle(back).backgroundColor)[3] === 0) back = back.parentElement;
    const behind = light(back ? rgb(getComputedStyle(back).backgroundColor) : [255, 255, 255]);
    const front = light(rgb(getComputedStyle(element).color));
    const contrast = (Math.max(behind, front) + 0.05) / (Math.min(behind, front) + 0.05);
    least = Math.min(least, contrast);
    if (contrast < 4.5) wrong.push(`contrast ${contrast.toFixed(2)}: ${element.outerHTML.slice(0, 80)}`);
  }
  return { wrong, least: least.toFixed(2), numbers: document.querySelectorAll("[data-deed]").length, height: document.documentElement.scrollHeight };
}

mkdirSync(out, { recursive: true });
let bad = 0;
for (const path of pages) {
  const url = pathToFileURL(resolve(path)).href;
  const name = basename(path, ".html");
  for (const width of [390, 1280]) {
    for (const scheme of ["light", "dark"]) {
      heard = [];
      const { targetId } = await send("Target.createTarget", { url: "about:blank" });
      const { sessionId } = await send("Target.attachToTarget", { targetId, flatten: true });
      const ask = (method, params) => send(method, params, sessionId);
      for (const domain of ["Page", "Network", "Runtime", "Log", "Audits"]) await ask(`${domain}.enable`);
      await ask("Emulation.setDeviceMetricsOverride", { width, height: 900, deviceScaleFactor: width < 500 ? 2 : 1, mobile: width < 500 });
      await ask("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
      heard = [];
      await ask("Page.navigate", { url });
      await until("the page", (event) => event.method === "Page.loadEventFired");
      await new Promise((done) => setTimeout(done, 200));
      const told = await ask("Runtime.evaluate", { expression: `(${inspect})()`, returnByValue: true });
      if (told.exceptionDetails) fail(JSON.stringify(told.exceptionDetails));
      const { wrong, least, numbers, height } = told.result.value;
      const requests = heard.filter((e) => e.method === "Network.requestWillBeSent").map((e) => e.params.request.url);
      const other = requests.filter((asked) => asked !== url && !asked.startsWith("data:"));
      const said = heard.filter((e) => ["Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded", "Audits.issueAdded"].includes(e.method));
      wrong.push(...other.map((asked) => `asks for ${asked}`), ...said.map((e) => `says ${JSON.stringify(e.params).slice(0, 200)}`));
      const shot = async (file, tall) => {
        const clip = { x: 0, y: 0, width, height: tall, scale: 1 };
        const { data } = await ask("Page.captureScreenshot", { format: "png", captureBeyondViewport: true, clip });
        writeFileSync(join(out, file), Buffer.from(data, "base64"));
      };
      await shot(`${name}-${width}-${scheme}.png`, Math.min(height, 8000));
      if (width === 1280 && scheme === "light") {
        const { data } = await ask("Page.printToPDF", { preferCSSPageSize: true, printBackground: false });
        writeFileSync(join(out, `${name}.pdf`), Buffer.from(data, "base64"));
      }
      await send("Target.closeTarget", { targetId });
      bad += wrong.length;
      console.log(`${name} ${width} ${scheme}: ${numbers} numbers, least contrast ${least}, ${requests.length} request, ${said.length} messages, ${wrong.length} faults`);
      for (const line of wrong.slice(0, 10)) console.log(`  ${line}`);
    }
  }
}
const gone = new Promise((done) => browser.once("exit", done));
await send("Browser.close");
await gone;
rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
if (bad > 0) {
  console.error(`FAILED ${bad} faults`);
  process.exit(1);
}
