"""How the page looks: light and dark, from 360 px up, nothing to fetch."""

from __future__ import annotations

STYLE = """
:root {
  color-scheme: light dark;
  --paper: #f4f0e6; --surface: #fffdf7; --ink: #1e2329; --soft: #545c66; --line: #d8d0bf; --faint: #ece5d5;
  --south: #00639c; --north: #b44500; --good: #19683f; --bad: #a3260c; --focus: #1663c7;
  --display: "Iowan Old Style", "Palatino Linotype", Palatino, "Book Antiqua", Georgia, serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #13161b; --surface: #1b2027; --ink: #ece9e2; --soft: #a9b1bb; --line: #353d48; --faint: #262d36;
    --south: #6cb8ee; --north: #ff9d5c; --good: #74d39f; --bad: #ff9c85; --focus: #8ec5ff;
  }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; -webkit-text-size-adjust: 100%; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif;
}
main { max-width: 64rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1, h2 { font-family: var(--display); font-weight: 600; line-height: 1.2; text-wrap: balance; }
h1 { font-size: clamp(1.7rem, 5vw, 2.6rem); margin: .2rem 0 .5rem; }
h2 { font-size: 1.45rem; margin: 2.6rem 0 .3rem; }
h3 { font-size: 1rem; margin: 0 0 .2rem; }
p { margin: .3rem 0; } .soft { color: var(--soft); } .small-print { font-size: .875rem; color: var(--soft); }
.south { --side: var(--south); } .north { --side: var(--north); }
.who { color: var(--side); font-weight: 600; }
code, .act { font: .92em ui-monospace, "SF Mono", Menlo, Consolas, monospace; white-space: nowrap; }
a { color: inherit; }
a:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 4px; }
.result { font-family: var(--display); font-size: 1.25rem; }
.card { background: var(--surface); border: 1px solid var(--line); border-radius: 12px; padding: 1rem; }
.notice { border-left: 4px solid var(--bad); margin: 1rem 0; }
.sides {
  display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(16rem, 1fr)); margin: 1.2rem 0;
}
.sides .card { border-top: 4px solid var(--side); }
.sides h2 { font-size: 1.15rem; margin: 0; }
.sides dl { display: grid; grid-template-columns: 1fr auto; gap: .25rem 1rem; margin: .6rem 0 0; }
.sides dt { color: var(--soft); }
.sides dd { margin: 0; text-align: right; font-variant-numeric: tabular-nums; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; margin: .2rem 0 .6rem; font-size: .9rem; }
.legend span::before {
  content: ""; display: inline-block; width: 1.6em; border-top: 3px solid var(--side); margin-right: .45em;
  vertical-align: .25em;
}
.legend .north::before { border-top-style: dashed; }
.charts { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 19rem), 1fr)); }
.chart {
  display: grid; grid-template: auto 1.5rem / 3.1rem 1fr; padding: .6rem .8rem 0 0; font-size: .78rem;
  color: var(--soft); font-variant-numeric: tabular-nums;
}
.chart .plot { position: relative; height: clamp(200px, 40vw, 320px); }
.chart.small .plot { height: 150px; }
.chart svg { position: absolute; inset: 0; width: 100%; height: 100%; overflow: visible; }
.chart .y { position: relative; }
.chart .y span { position: absolute; right: .5rem; transform: translateY(-50%); white-space: nowrap; }
.chart .x { grid-column: 2; position: relative; }
.chart .x span { position: absolute; top: .25rem; transform: translateX(-50%); }
.grid { stroke: var(--line); stroke-width: 1; vector-effect: non-scaling-stroke; }
.line {
  fill: none; stroke: var(--side); stroke-width: 2; stroke-linejoin: round; stroke-linecap: round;
  vector-effect: non-scaling-stroke;
}
.line.north { stroke-dasharray: 6 4; }
.hit { fill: transparent; } .hit:hover { fill: var(--ink); fill-opacity: .12; }
.mark {
  position: absolute; width: 1.5rem; height: 1.5rem; margin: -.75rem; border-radius: 50%; display: grid;
  place-items: center; background: var(--surface); border: 2px solid var(--side); color: var(--side);
  font: 700 .78rem/1 system-ui, sans-serif; text-decoration: none;
}
.mark:hover, .mark:focus-visible { background: var(--side); color: var(--surface); z-index: 1; }
.rows { list-style: none; margin: .8rem 0; padding: 0; display: grid; gap: .7rem; }
.point { display: grid; grid-template-columns: 2rem 1fr; gap: .2rem .8rem; scroll-margin-top: 1rem; }
.point > .badge {
  width: 2rem; height: 2rem; border-radius: 50%; border: 2px solid var(--side); color: var(--side);
  display: grid; place-items: center; font-weight: 700;
}
.head {
  display: flex; flex-wrap: wrap; justify-content: space-between; gap: .1rem 1rem; align-items: baseline;
}
.swing { font-variant-numeric: tabular-nums; white-space: nowrap; font-weight: 600; }
.swing .down { color: var(--bad); } .swing .up { color: var(--good); }
.span { position: relative; height: .5rem; border-radius: .25rem; background: var(--faint); margin: .4rem 0; }
.span i {
  position: absolute; top: 0; bottom: 0; border-radius: .25rem; background: var(--side); opacity: .35;
}
.span b {
  position: absolute; top: -.15rem; bottom: -.15rem; width: 3px; margin-left: -1.5px; background: var(--side);
}
.line-of-play { margin: .3rem 0 0; padding-left: 1.1rem; color: var(--soft); font-size: .92rem; }
.odds {
  display: flex; height: .6rem; border-radius: .3rem; overflow: hidden; margin: .4rem 0;
  background: var(--faint);
}
.odds i { display: block; height: 100%; }
.odds .wins { background: var(--good); } .odds .both { background: var(--soft); opacity: .6; }
.odds .loses { background: var(--bad); }
.turns { list-style: none; margin: .8rem 0; padding: 0; border-top: 1px solid var(--line); }
.turns li {
  display: grid; grid-template-columns: 3.2rem minmax(0, 1fr) 7.5rem; gap: 0 .8rem; padding: .4rem .2rem;
  border-bottom: 1px solid var(--line); scroll-margin-top: 1rem;
}
.turns li:target, .point:target { background: var(--faint); }
.turns .label { color: var(--side); font-weight: 600; font-variant-numeric: tabular-nums; }
.turns .better { font-size: .875rem; color: var(--soft); }
.bar {
  align-self: start; margin-top: .2rem; font-variant-numeric: tabular-nums; text-align: right;
  font-size: .9rem;
}
.bar span {
  display: block; height: .35rem; border-radius: .2rem; background: var(--faint); overflow: hidden;
}
.bar span i { display: block; height: 100%; background: var(--side); }
@media (max-width: 480px) {
  main { padding: 1rem .75rem 3rem; }
  .turns li { grid-template-columns: 2.7rem minmax(0, 1fr) 4.2rem; gap: 0 .5rem; }
  .point { display: block; }
  .point > .badge { float: left; width: 1.6rem; height: 1.6rem; margin: 0 .6rem .2rem 0; font-size: .85rem; }
  .point .span { clear: both; }
  .card { padding: .8rem; }
}
@media print { body { background: none; } .card { break-inside: avoid; } }
"""
