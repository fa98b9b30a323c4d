/** Play: a game against the computer, between two people, or between two computers. */
import { html, useEffect, useRef, useState } from "../html.js";
import { request, search } from "../server.js";
import { say } from "../words/index.js";
import { Board } from "../board.js";
import { Player, playerText } from "../players.js";
import { shown } from "../tree/telling.js";
import { Choice, Failure, Line, Waiting, gamesOf } from "./parts.js";

const WHO = { first: ["you", "it"], second: ["it", "you"], two: ["you", "you"], none: ["it", "it"] };

/** @param {{offer: any, rest: string[], words: string}} props */
export function Play({ offer, rest }) {
  const wanted = rest[0] && offer.games.some((game) => game.name === rest[0]) ? rest[0] : "connect-four";
  const [setup, setSetup] = useState({ game: wanted, options: "", start: "", who: "first", level: 5 });
  const [place, setPlace] = useState({ game: wanted, position: "", moves: [] });
  const [position, setPosition] = useState(/** @type {any} */ (null));
  const [failure, setFailure] = useState("");
  const [which, setWhich] = useState(/** @type {any[]} */ ([]));
  const { waiting, think, halt } = useThinking(setFailure);
  const [hint, setHint] = useState("");
  const [show, setShow] = useState({ values: false, bar: true });
  const whose = position ? WHO[setup.who][position.mover] : "you";
  const { values, bar } = useValues(place, position, show, whose === "it");
  const set = (name) => (value) => setSetup((old) => ({ ...old, [name]: value }));

  useEffect(() => {
    let current = true;
    setHint("");
    setWhich([]);
    request("/api/position", place).then((found) => {
      if (current) { setPosition({ ...found, at: place }); setFailure(""); }
    }, (error) => { if (current) setFailure(error.message); });
    return () => { current = false; };
  }, [place]);
  useEffect(() => {
    if (!position || position.over || whose !== "it" || failure || position.at !== place) return undefined;
    return think({ do: "move", place, level: Number(setup.level) }, (found) => {
      if (found.action) setPlace({ ...place, moves: [...place.moves, found.action] });
    });
  }, [position, whose, setup.level]);

  const begin = () => {
    halt();
    setPosition(null);
    setFailure("");
    setPlace({ game: setup.options ? `${setup.game}:${setup.options}` : setup.game, position: setup.start, moves: [] });
  };
  const act = (actions) => {
    if (actions.length > 1) setWhich(actions);
    else setPlace({ ...place, moves: [...place.moves, actions[0].name] });
  };
  const back = async () => {
    halt();
    const moves = place.moves.slice(0, -1);
    if (setup.who === "first" || setup.who === "second") {
      // Back to where the person was to move, whatever extra turns there were.
      while (moves.length) {
        const before = await request("/api/position", { ...place, moves });
        if (WHO[setup.who][before.mover] === "you") break;
        moves.pop();
      }
    }
    setPlace({ ...place, moves });
  };
  const advise = () => think({ do: "values", place, seconds: 2 }, (found) => {
    const proved = say(found.proved && found.bound === "exact" ? "play.proved" : "play.guess");
    if (found.best) setHint(say("play.hinted", { move: found.best, value: shown(found.value), proved }));
  });
  const open = position && position.at === place && !position.over && whose === "you" && !which.length;
  const props = { place, position, setup, whose, waiting, failure, hint, which, open };
  return html`
    <h1>${say("play.title")}: ${position?.title ?? place.game}</h1>
    <div class="table">
      <div class="panel stage">
        ${position && show.bar && html`<${Bar} position=${position} bar=${bar} />`}
        ${position && html`<${Board} position=${position} act=${act} open=${open} worth=${show.values ? values : new Map()} />`}
      </div>
      <div>
        <section class="panel">
          <${Status} ...${props} />
          ${which.length > 0 && html`<p class="ask">${say("play.which")}
            ${which.map((action) => html`<button onClick=${() => act([action])}>${action.name}</button>`)}</p>`}
          <${Failure} text=${failure} />
          <div class="buttons">
            <button id="new" onClick=${begin}>${say("play.new")}</button>
            <button id="back" onClick=${back} disabled=${!place.moves.length}>${say("play.back")}</button>
            <button id="hint" onClick=${advise} disabled=${!open || waiting}>${say("play.hint")}</button>
          </div>
          <label><input type="checkbox" id="values" checked=${show.values}
            onChange=${(event) => setShow({ ...show, values: event.target.checked })} /> ${say("play.values")}</label><br />
          <label><input type="checkbox" id="bar" checked=${show.bar}
            onChange=${(event) => setShow({ ...show, bar: event.target.checked })} /> ${say("play.bar")}</label>
          ${show.bar && html`<p class="soft small" id="standing">${standing(position, bar)}</p>`}
          <h3>${say("play.moves")}</h3>
          <ol class="moves" id="moves">${place.moves.map((name, at) => html`<li>${at + 1}. <button class="link"
            onClick=${() => { halt(); setPlace({ ...place, moves: place.moves.slice(0, at + 1) }); }}>${name}</button></li>`)}</ol>
          ${open && html`<details open=${position.board.kind === "text" || position.actions.some((each) => !each.places.length)}>
            <summary>${say("play.all")}</summary>
            <div class="names">${position.actions.map((action) => html`<button onClick=${() => act([action])}>${action.name}
              ${show.values && values.has(action.name) && html`<span class="value">${values.get(action.name).text}</span>`}</button>`)}</div>
          </details>`}
        </section>
        <${Setup} offer=${offer} setup=${setup} set=${set} begin=${begin} />
      </div>
    </div>`;
}

/** Searches one at a time; a new one, or leaving, ends the last.
 * @param {(text: string) => void} setFailure */
function useThinking(setFailure) {
  const [waiting, setWaiting] = useState(/** @type {any} */ (null));
  const running = useRef(/** @type {any} */ (null));
  const halt = () => {
    running.current?.stop();
    running.current = null;
    setWaiting(null);
  };
  const think = (asked, heard) => {
    halt();
    const mine = search(asked, (answer) => { if (running.current === mine) setWaiting(answer); });
    running.current = mine;
    setWaiting({ event: "started" });
    mine.done.then((found) => { if (running.current === mine) { halt(); heard(found); } },
      (error) => { if (running.current === mine) { halt(); setFailure(error.message); } });
    return () => { if (running.current === mine) halt(); };
  };
  useEffect(() => halt, []);
  return { waiting, think, halt };
}

/** The values of all actions of a position, and the value for the first player. The bar keeps its
 * last value until the next one is known, so that it does not jump to the middle and back. */
function useValues(place, position, show, busy) {
  const [values, setValues] = useState(new Map());
  const [bar, setBar] = useState(/** @type {any} */ (null));
  useEffect(() => setBar(null), [place.game, place.position]);
  useEffect(() => setValues(new Map()), [position]);
  useEffect(() => {
    if (!position || !(show.values || show.bar) || position.at !== place) return undefined;
    if (position.over) {
      const side = position.mover === 0 ? 1 : -1;
      if (position.players === 2) setBar({ value: side * position.value, proved: true, over: true });
      return undefined;
    }
    if (position.players !== 2 || busy) return undefined;
    let current = true;
    let asked = /** @type {any} */ (null);
    const begin = () => {
      asked = search({ do: "values", place, seconds: show.values ? 2 : 0.7 });
      asked.done.then(heard, () => {});
    };
    const heard = (found) => {
      if (!current || found.value === null || found.value === undefined) return;
      const best = Math.max(...(found.moves ?? []).map((each) => each.value));
      setValues(new Map((found.moves ?? []).map((each) => [each.action,
        { text: shown(each.value), best: each.value === best }])));
      const side = position.mover === 0 ? 1 : -1;
      setBar({ value: side * found.value, proved: found.proved && found.bound === "exact" });
    };
    // Whoever moves at once does not wait for a search that nobody will look at.
    const timer = setTimeout(begin, 150);
    return () => { current = false; clearTimeout(timer); asked?.stop(); };
  }, [position, show.values, show.bar, busy]);
  return { values, bar };
}

/** @param {any} props */
function Bar({ position, bar }) {
  const share = !bar ? 0.5 : bar.proved && position.scale < 200
    ? 0.5 + 0.5 * Math.sign(bar.value) : 0.5 + 0.5 * Math.tanh(bar.value / position.scale);
  const { board } = position;
  const look = board.kind === "grid" ? board.look : "plain";
  return html`<div class="bar pair-${look === "drop" || look === "stones" || look === "hex" ? "stones" : look}"
    role="img" aria-label="${say("play.bar")}: ${standing(position, bar)}"><div class="up" style=${{ height: `${100 * share}%` }} /></div>`;
}

/** @param {any} position @param {any} bar */
function standing(position, bar) {
  if (!position || !bar) return "…";
  if (bar.over) return say("play.over");
  const value = shown(Math.abs(bar.value));
  if (bar.value === 0) return say(bar.proved ? "play.draw" : "play.even");
  const player = playerText(position.board, bar.value > 0 ? 0 : 1);
  return say(bar.proved ? "play.wins" : "play.ahead", { player, value });
}

/** @param {any} props */
function Status({ position, setup, whose, waiting, hint }) {
  if (!position) return html`<p class="status">${say("loading")}</p>`;
  const name = html`<${Player} board=${position.board} mover=${position.mover} />`;
  if (position.over) {
    const { winner } = position;
    const mine = winner !== null && new Set(WHO[setup.who]).size > 1;
    const text = winner === null ? say("play.drawn") : mine
      ? say(WHO[setup.who][winner] === "you" ? "play.youwon" : "play.lost")
      : say("play.won", { player: playerText(position.board, winner) });
    return html`<p class="status" role="status" id="result">${text}</p>`;
  }
  const player = playerText(position.board, position.mover);
  const text = setup.who === "two" ? say("play.turn", { player }) : say(whose === "it" ? "play.mine" : "play.yours", { player });
  return html`
    <p class="status" role="status" id="status">${name} ${text}</p>
    ${waiting && html`<${Waiting} state=${waiting} />`}
    ${hint && html`<p id="advice" role="status">${hint}</p>`}`;
}

/** @param {any} props */
function Setup({ offer, setup, set, begin }) {
  const game = offer.games.find((each) => each.name === setup.game);
  const rating = offer.ratings[setup.game]?.[setup.level - 1];
  const options = (game?.options ?? []).map((each) => `${each.name}: ${each.help}`).join("\n");
  return html`
    <form class="panel form" onSubmit=${(event) => { event.preventDefault(); begin(); }}>
      <${Choice} id="game" label=${say("play.game")} value=${setup.game} choices=${gamesOf(offer)}
        set=${(name) => { location.hash = `play/${encodeURIComponent(name)}`; }} />
      <${Choice} id="who" label=${say("play.you")} value=${setup.who} set=${set("who")}
        choices=${Object.keys(WHO).map((who) => [who, say(`play.${who}`)])} />
      <label class="field wide">${say("play.level")} ${setup.level}
        <input id="level" type="range" min="1" max=${offer.levels} value=${setup.level}
          onInput=${(event) => set("level")(event.target.value)} /></label>
      ${rating !== undefined && html`<p class="soft small wide">${say("play.rating", { rating })}</p>`}
      <${Line} id="start" label=${say("play.position")} value=${setup.start} set=${set("start")} hint=${game?.example ?? say("play.start")} />
      ${options && html`<${Line} id="options" label=${say("play.options")} value=${setup.options} set=${set("options")}
        hint=${game.options.map((each) => `${each.name}=${each.default}`).join(",")} />
        <p class="soft small wide">${game.options.map((each) => html`${each.name}: ${each.help}<br />`)}</p>`}
    </form>`;
}
