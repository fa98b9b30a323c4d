/** Play: a game against the computer, between two people, or between two computers. */
import { html, useEffect, useMemo, useRef, useState } from "../html.js";
import { request, search } from "../server.js";
import { gameText, titleOf } from "../words/games.js";
import { say } from "../words/index.js";
import { Board } from "../board.js";
import { Player, moveText, playerText } from "../players.js";
import { shown } from "../tree/telling.js";
import { Asking, useAsking } from "../game/asking.js";
import { Clocks, MOST_INCREMENT, MOST_MINUTES, controlOf, useClocks } from "../game/clock.js";
import { Curve, Steps, whereText } from "../game/curve.js";
import { Keeping, linkOf, recordIn } from "../game/record.js";
import { numberInList } from "../game/numbers.js";
import { Review, useReview } from "../game/review.js";
import { Bar, standingText, useStandings, worthOf } from "../game/standing.js";
import { Choice, Failure, Line, Waiting, gamesOf } from "./parts.js";

const WHO = { first: ["you", "it"], second: ["it", "you"], two: ["you", "you"], none: ["it", "it"] };

/** @param {{offer: any, rest: string[], words: string}} props */
export function Play({ offer, rest }) {
  const spec = rest[0] ?? "connect-four";
  const missing = gameOf(offer, spec) ? "" : say("play.unknown", { game: spec });
  const wanted = missing ? "connect-four" : spec;
  const linked = useMemo(() => (missing ? {} : recordIn(location.hash)), []);
  const first = { game: wanted, position: linked.position ?? "", moves: linked.moves ?? [] };
  const [setup, setSetup] = useState({
    ...setupOf(offer, first), who: linked.who ?? "first", level: linked.level ?? 5, ...clockOf(linked.clock),
  });
  const [place, lead] = useState(first);
  const [look, setLook] = useState(/** @type {number | null} */ (null)); // null: at the last position
  const at = look ?? place.moves.length;
  const live = look === null;
  const seen = useMemo(() => (live ? place : { ...place, moves: place.moves.slice(0, at) }), [place, look]);
  const [position, setPosition] = useState(/** @type {any} */ (null));
  const [failure, setFailure] = useState("");
  const { waiting, think, halt } = useThinking(setFailure);
  const [hint, setHint] = useState(/** @type {any} */ (null));
  const [show, setShow] = useState({ values: false, bar: true });
  const whose = position ? WHO[setup.who][position.mover] : "you";
  const looking = setup.who === "none";
  const [turn, setTurn] = useState(/** @type {import("../game/clock.js").Turn | null} */ (null));
  const clocks = useClocks(linked.clock, first.moves.length, turn);
  const over = Boolean(position?.over) || clocks.flag !== null;
  const { known, note, learn, values, standing, has } = useStandings(seen, place.moves, position, show, live && whose === "it", looking);
  const review = useReview(place, note);
  const set = (name) => (value) => setSetup((old) => ({ ...old, [name]: value }));
  const setPlace = (next) => { setLook(null); lead(next); };
  const list = useRef(/** @type {any} */ (null));
  useEffect(() => {
    const mark = list.current?.querySelector("[aria-current]");
    if (mark) list.current.scrollTop = mark.offsetTop - list.current.offsetTop - list.current.clientHeight / 2;
  }, [at, place]);
  const go = (ply) => { if (ply !== at) setLook(ply >= place.moves.length ? null : ply); };

  useEffect(() => {
    let current = true;
    setHint(null);
    request("/api/position", seen).then((found) => {
      if (!current) return;
      setPosition({ ...found, at: seen });
      setFailure("");
      if (live) setTurn({ mover: found.mover, over: found.over, moves: place.moves.length });
    }, (error) => { if (current) setFailure(error.message); });
    return () => { current = false; };
  }, [seen]);
  // Where nobody moves but the computer, the curve has each position's value before the next move.
  // On a clock it does not wait for that.
  const evaluating = looking && !clocks.control && show.bar && !has && position?.players === 2;
  useEffect(() => {
    if (!position || over || !live || whose !== "it" || evaluating || failure || position.at !== seen) return undefined;
    const left = clocks.shown()[position.mover];
    const clock = clocks.control && { left, increment: clocks.control.increment };
    return think({ do: "move", place, level: Number(setup.level), clock }, (found) => {
      if (found.action) make(found.action);
    });
  }, [position, whose, evaluating, setup.level, over]);

  const begin = () => {
    halt();
    setPosition(null);
    setFailure("");
    clocks.start(controlOf(setup.minutes, setup.increment));
    setPlace({ game: setup.options ? `${setup.game}:${setup.options}` : setup.game, position: setup.start, moves: [] });
  };
  const make = (name) => {
    if (clocks.punch(position.mover)) setPlace({ ...place, moves: [...place.moves, name] });
  };
  const asking = useAsking(seen, make);
  const take = (record) => {
    halt();
    setPosition(null);
    setFailure("");
    setSetup({ ...setupOf(offer, record), who: record.who, level: record.level, ...clockOf(record.clock) });
    clocks.start(record.clock, record.clock, record.moves.length);
    setPlace({ game: record.game, position: record.position, moves: record.moves });
    history.replaceState(null, "", linkOf(record));
  };
  const goOn = () => { halt(); clocks.rewind(at); setPlace(seen); };
  const placed = useRef(place);
  placed.current = place;
  const back = async () => {
    halt();
    const moves = place.moves.slice(0, -1);
    if (setup.who === "first" || setup.who === "second") {
      // Back to where the person was to move, whatever extra turns there were.
      while (moves.length) {
        const before = await request("/api/position", { ...place, moves }).catch((error) => setFailure(error.message));
        if (!before || placed.current !== place) return; // something else has been done meanwhile
        if (WHO[setup.who][before.mover] === "you") break;
        moves.pop();
      }
    }
    clocks.rewind(moves.length);
    setPlace({ ...place, moves });
  };
  const now = useRef(seen);
  now.current = seen;
  const seenValues = useRef(values);
  seenValues.current = values;
  const advise = () => think({ do: "values", place, seconds: 2 }, (found) => {
    if (!found.best || now.current !== seen) return;
    learn(found);
    // What has been proved of a move before counts here, too.
    const all = worthOf(found, seenValues.current);
    const best = all.get(found.best)?.best === false ? [...all].find(([, each]) => each.best)?.[0] : found.best;
    const { text, value, proved } = all.get(best) ?? { text: `≈${shown(found.value)}`, value: found.value, proved: false };
    setHint({
      text: say("play.hinted", { move: moveText(position.board, best), value: shown(value), proved: say(proved ? "play.proved" : "play.guess") }),
      arrow: { name: best, text, best: true },
    });
  });
  const open = position && position.at === seen && live && !over && whose === "you" && !asking.which.length;
  const props = { place, position, setup, whose, waiting, failure, hint, open, live, at, flag: clocks.flag };
  const two = position?.players === 2;
  return html`
    <h1>${say("play.title")}: ${titleOf(gameOf(offer, place.game))}</h1>
    <div class="table">
      <div class="panel stage">
        ${position && show.bar && html`<${Bar} position=${position} standing=${standing} />`}
        ${position && html`<${Board} position=${position} act=${asking.act} open=${open} worth=${show.values ? values : new Map()}
          arrows=${hint && live && !(show.values && values.size) ? [hint.arrow] : []} />`}
        <${Steps} at=${at} all=${place.moves.length} go=${go} />
        ${position?.board.kind === "text" && gameOf(offer, place.game)?.own && html`<p class="soft small own-text">${say("play.own")}</p>`}
      </div>
      <div class="beside">
        <section class="panel controls-of-game">
          <${Status} ...${props} />
          ${clocks.control && position && html`<${Clocks} clocks=${clocks} board=${position.board} turn=${turn} />`}
          ${!live && html`<p class="buttons"><button id="go-on" class="main" onClick=${goOn}>${say("curve.goon")}</button>
            <button id="return" onClick=${() => go(place.moves.length)}>${say("curve.return")}</button></p>`}
          <${Asking} asking=${asking} />
          <${Failure} text=${failure || (place.moves.length ? "" : missing)} />
          <div class="buttons">
            <button id="new" onClick=${begin}>${say("play.new")}</button>
            <button id="back" onClick=${back} disabled=${!place.moves.length}>${say("play.back")}</button>
            <button id="hint" onClick=${advise} disabled=${!open || waiting}>${say("play.hint")}</button>
          </div>
          <label><input type="checkbox" id="values" checked=${show.values}
            onChange=${(event) => setShow({ ...show, values: event.target.checked })} /> ${say("play.values")}</label><br />
          <label><input type="checkbox" id="bar" checked=${show.bar}
            onChange=${(event) => setShow({ ...show, bar: event.target.checked })} /> ${say("play.bar")}</label>
          ${show.values && html`<p class="soft small">${say("play.about")}</p>`}
          ${show.bar && html`<p class="soft small" id="standing">${position ? standingText(position.board, standing) : "…"}</p>`}
          <h2>${say("play.moves")}</h2>
          ${!place.moves.length && html`<p class="soft small none-yet">${say("play.none.yet")}</p>`}
          <ol class="moves" id="moves" ref=${list}>${place.moves.map((name, number) => html`<li>${position && numberInList(position, number)} <button class="link"
            aria-current=${number + 1 === at ? "step" : null} onClick=${() => go(number + 1)}>${name}</button></li>`)}</ol>
          ${open && html`<details open=${position.board.kind === "text" || position.actions.some((each) => !each.places.length)}>
            <summary>${say("play.all")}</summary>
            <div class="names">${position.actions.map((action) => html`<button onClick=${() => asking.act([action])}>${action.name}
              ${show.values && values.has(action.name) && html`<span class="value">${values.get(action.name).text}</span>`}</button>`)}</div>
          </details>`}
        </section>
        <${Keeping} record=${() => ({ ...place, who: setup.who, level: Number(setup.level), clock: clocks.kept() })} take=${take}
          pgn=${offer.pgn && setup.game === "chess"} />
        <${Setup} offer=${offer} setup=${setup} set=${set} begin=${begin} />
      </div>
      ${two && place.moves.length > 0 && html`<section class="panel course" aria-label=${say("curve.title")}>
        <h2>${say("curve.title")}</h2>
        ${show.bar && html`<${Curve} moves=${place.moves} at=${at} go=${go} known=${known} position=${position} />`}
        <${Review} review=${review} place=${place} board=${position.board} go=${go} at=${at} />
      </section>`}
    </div>`;
}

/** The game that is meant, with options after a colon or without. @param {any} offer @param {string} spec */
const gameOf = (offer, spec) => offer.games.find((game) => game.name === spec)
  ?? offer.games.find((game) => game.name === spec.split(":")[0]);

/** What the form says for a place. @param {any} offer @param {{game: string, position: string}} place */
function setupOf(offer, { game, position }) {
  const { name } = gameOf(offer, game);
  return { game: name, options: game.slice(name.length + 1), start: position };
}

/** What the form says for a clock. @param {any} clock */
const clockOf = (clock) => ({ minutes: String(clock?.minutes ?? ""), increment: String(clock?.increment ?? "") });

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

/** @param {any} props */
function Status({ place, position, setup, whose, waiting, hint, live, at, flag }) {
  if (!position) return html`<p class="status">${say("loading")}</p>`;
  if (!live) return html`<p class="status" role="status" id="status">${whereText(position, place.moves, at)}</p>`;
  const name = html`<${Player} board=${position.board} mover=${position.mover} />`;
  if (flag !== null && !position.over) {
    const [player, other] = [playerText(position.board, flag), playerText(position.board, 1 - flag)];
    return html`<p class="status" role="status" id="result">${say("clock.fallen", { player, other })}</p>`;
  }
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
    ${hint && html`<p id="advice" role="status">${hint.text}</p>`}`;
}

/** @param {any} props */
function Setup({ offer, setup, set, begin }) {
  const game = offer.games.find((each) => each.name === setup.game);
  const rating = offer.ratings[setup.game]?.[setup.level - 1];
  const options = game?.options ?? [];
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
      <div class="pair wide">
        <${Line} id="minutes" type="number" label=${say("clock.minutes")} value=${setup.minutes} set=${set("minutes")}
          hint=${say("clock.none")} min=${0} max=${MOST_MINUTES} step="any" />
        <${Line} id="increment" type="number" label=${say("clock.increment")} value=${setup.increment} set=${set("increment")}
          hint="0" min=${0} max=${MOST_INCREMENT} step="any" />
      </div>
      <p class="soft small wide">${say("clock.about")}</p>
      <${Line} id="start" label=${say("play.position")} value=${setup.start} set=${set("start")} hint=${game?.example ?? say("play.start")} />
      ${options.length > 0 && html`<${Line} id="options" label=${say("play.options")} value=${setup.options} set=${set("options")}
        hint=${options.map((each) => `${each.name}=${each.default}`).join(",")} />
        <p class="soft small wide">${options.map((each) => html`${each.name}: ${gameText(each.help)}<br />`)}</p>`}
      <button id="begin" class="wide">${say("play.new")}</button>
    </form>`;
}
