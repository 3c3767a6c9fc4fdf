#if Inspector
extension PageScript {
    /// Texts and JSON of any size, of which only the visible lines are elements.
    static let viewer = #"""
        /** A number as it was written: JavaScript rounds long ones. */
        class Numeral { constructor(text) { this.text = text; } }
        /** The members of a JSON object as they were written: JavaScript sorts names that are numbers, and keeps one of two with the same name. */
        class Members { constructor() { this.keys = []; this.values = []; } }

        const NUMERAL = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
        const LITERALS = { t: ["true", true], f: ["false", false], n: ["null", null] };
        /** Reads a JSON array or object. Returns `undefined` for other JSON, and throws for other text. Without recursion, because documents may be deep. */
        function parseJSON(text) {
          const stack = [];
          let at = 0, value;
          const fail = () => { throw new SyntaxError("no JSON at " + at); };
          const skip = () => { for (;;) { const code = text.charCodeAt(at); if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return; at++; } };
          const string = () => {
            let end = at;
            for (;;) {
              end = text.indexOf('"', end + 1);
              if (end < 0) fail();
              let slashes = 0;
              while (text[end - 1 - slashes] === "\\") slashes++;
              if (slashes % 2 === 0) break;
            }
            const read = JSON.parse(text.slice(at, end + 1));
            at = end + 1;
            return read;
          };
          const name = (members) => {
            skip();
            if (text[at] !== '"') fail();
            members.keys.push(string());
            skip();
            if (text[at++] !== ":") fail();
          };
          const scalar = () => {
            if (text[at] === '"') return string();
            const literal = LITERALS[text[at]];
            if (literal && text.startsWith(literal[0], at)) { at += literal[0].length; return literal[1]; }
            NUMERAL.lastIndex = at;
            const match = NUMERAL.exec(text);
            if (!match) fail();
            at = NUMERAL.lastIndex;
            return new Numeral(match[0]);
          };
          for (;;) {
            skip();
            if (text[at] === "{" || text[at] === "[") {
              const isList = text[at++] === "[", opened = isList ? [] : new Members();
              skip();
              if (text[at] === (isList ? "]" : "}")) { at++; value = opened; }
              else {
                stack.push(opened);
                if (!isList) name(opened);
                continue;
              }
            } else value = scalar();
            // The value belongs to the list or the object that is open, which may end with it.
            for (;;) {
              skip();
              const parent = stack[stack.length - 1], isList = Array.isArray(parent);
              if (!parent) {
                if (at < text.length) fail();
                return isTree(value) ? value : undefined;
              }
              (isList ? parent : parent.values).push(value);
              if (text[at] === ",") {
                at++;
                if (!isList) name(parent);
                break;
              }
              if (text[at++] !== (isList ? "]" : "}")) fail();
              value = stack.pop();
            }
          }
        }
        function isTree(value) { return Array.isArray(value) || value instanceof Members; }
        function shownValue(value) { return value instanceof Numeral ? value.text : JSON.stringify(value); }

        const LONGEST = 2000;
        /** A long text in pieces, of which all but the first are shown once it is opened. */
        function piecesOf(text) {
          const pieces = [];
          for (let start = 0; start < text.length; start += LONGEST) pieces.push(text.slice(start, start + LONGEST));
          return pieces;
        }
        function short(text) { return text.length > LONGEST ? text.slice(0, LONGEST) + word("tooLong", text.length - LONGEST) : text; }
        /** The control that shows the rest of a long text, or the beginning alone. */
        function addMore(line, rest, isOpen, toggle) {
          const more = add(line, element("button", "more", isOpen ? word("less") : word("tooLong", rest))).lastChild;
          more.setAttribute("aria-expanded", String(isOpen));
          more.addEventListener("click", toggle);
          return more;
        }

        /**
         * The lines of a JSON document: { depth, key, path, value | text | node | isEnd }. Without recursion, because documents may be deep.
         * `closed` has the paths of the folds, and after a "+" those of the long texts that are open. They stay when the document is loaded again.
         */
        function linesOf(root, closed, isWhole = false) {
          const lines = [], stack = [];
          const text = (key, path, value, depth, last) => {
            const isOpen = closed.has("+" + path), pieces = piecesOf(JSON.stringify(value)), rest = value.length - LONGEST;
            lines.push({ depth, key, path, text: pieces[0], rest, isOpen, last: isOpen ? true : last });
            if (isOpen) pieces.slice(1).forEach((piece, place) => lines.push({ depth, text: piece, last: place < pieces.length - 2 ? true : last }));
          };
          const visit = (key, path, value, depth, last) => {
            if (!isWhole && typeof value === "string" && value.length > LONGEST) { text(key, path, value, depth, last); return; }
            if (!isTree(value)) { lines.push({ depth, key, value, last }); return; }
            const isList = Array.isArray(value), values = isList ? value : value.values, count = values.length;
            const folds = closed.size > 0 && closed.has(path);
            lines.push({ depth, key, path, node: value, isList, count, folds, last });
            if (!folds && count) stack.push({ values, path, keys: isList ? null : value.keys, next: 0, count, depth, last, isList });
          };
          visit(undefined, "", root, 0, true);
          while (stack.length) {
            const top = stack[stack.length - 1];
            if (top.next === top.count) { stack.pop(); lines.push({ depth: top.depth, isEnd: true, isList: top.isList, last: top.last }); continue; }
            const place = top.next++, key = top.keys ? top.keys[place] : undefined;
            visit(key, top.path + "/" + place + (top.keys ? JSON.stringify(key) : ""), top.values[place], top.depth + 1, place === top.count - 1);
          }
          return lines;
        }

        function showJSON(parent, root, closed) {
          const box = add(parent, element("div", "text")).lastChild;
          box.tabIndex = 0;
          let lines = linesOf(root, closed);
          const toggle = (name) => {
            if (!closed.delete(name)) closed.add(name);
            lines = linesOf(root, closed);
            list.setCount(lines.length);
            list.draw();
            for (const button of box.querySelectorAll("button")) if (button.path === name) button.focus({ preventScroll: true });
          };
          const list = new VirtualList(box, 20, () => element("div"), (line, index) => {
            const data = lines[index];
            // A line that is built again would lose the focus of its fold.
            if (line.data === data) return;
            line.data = data;
            empty(line);
            line.append("  ".repeat(Math.min(data.depth, 200)));
            if (data.node && data.count) {
              const fold = add(line, element("button", "fold", data.folds ? "▸" : "▾")).lastChild;
              fold.path = data.path;
              fold.setAttribute("aria-expanded", String(!data.folds));
              fold.setAttribute("aria-label", word("fold"));
              fold.addEventListener("click", () => toggle(data.path));
              line.append(" ");
            } else line.append("  ");
            if (data.key !== undefined) { add(line, element("span", "k", JSON.stringify(short(data.key)))); line.append(": "); }
            const comma = data.last ? "" : ",";
            if (data.isEnd) line.append((data.isList ? "]" : "}") + comma);
            else if (data.node) {
              line.append(data.isList ? "[" : "{");
              if (data.folds || !data.count) { add(line, element("span", "dim", data.count ? " " + data.count + " " : "")); line.append((data.isList ? "]" : "}") + comma); }
            } else if (data.text !== undefined) {
              add(line, element("span", "s", data.text));
              if (data.rest !== undefined) addMore(line, data.rest, data.isOpen, () => toggle("+" + data.path)).path = "+" + data.path;
              line.append(comma);
            } else { addValue(line, data.value); line.append(comma); }
          });
          list.setCount(lines.length);
          return list;
        }
        function addValue(line, value) {
          add(line, element("span", value instanceof Numeral ? "n" : typeof value === "string" ? "s" : "b", shownValue(value)));
        }

        function showLines(box, lines, classOf) {
          const opened = new Set();
          let shown = [];
          const split = () => {
            shown = [];
            lines.forEach((text, index) => {
              const isOpen = opened.has(index), rest = text.length - LONGEST;
              shown.push({ index, text: text.slice(0, LONGEST), rest: rest > 0 ? rest : undefined, isOpen });
              if (isOpen) for (const piece of piecesOf(text).slice(1)) shown.push({ index, text: piece });
            });
          };
          split();
          const list = new VirtualList(box, 20, () => element("div"), (line, place) => {
            const data = shown[place];
            line.className = "item " + (classOf ? classOf(data.index) : "");
            line.textContent = data.text;
            if (data.rest === undefined) return;
            addMore(line, data.rest, data.isOpen, () => {
              if (!opened.delete(data.index)) opened.add(data.index);
              split();
              list.setCount(shown.length);
            });
          });
          list.setCount(shown.length);
          return list;
        }

        const IMAGES = /^image\/(png|jpeg|gif|webp|avif|bmp|x-icon|vnd\.microsoft\.icon)$/;
        /** Shows a body, and returns its list if it has one. `closed` keeps its folds. */
        function showBody(parent, body, closed) {
          add(parent, element("h2", "", word("body")));
          if (!body) { add(parent, element("p", "dim", word("noBody"))); return null; }
          const type = (body.mediaType ?? "").split(";")[0].trim().toLowerCase(), size = body.size === null || body.size === undefined ? "" : word("bytes", body.size);
          add(parent, element("p", "dim", [body.mediaType, size].filter(Boolean).join(" · ")));
          if (body.base64 && IMAGES.test(type)) {
            const image = add(parent, element("img")).lastChild;
            image.alt = body.mediaType;
            image.src = "data:" + type + ";base64," + body.base64;
            return null;
          }
          if (body.text === null || body.text === undefined) { add(parent, element("p", "dim", word("notKept", [body.mediaType, size].filter(Boolean).join(", ")))); return null; }
          if (body.isTruncated) add(parent, element("p", "dim", word("cut")));
          let tree;
          try { tree = parseJSON(body.text); } catch { tree = undefined; }
          if (tree !== undefined) return showJSON(parent, tree, closed);
          const box = add(parent, element("div", "text")).lastChild;
          box.tabIndex = 0;
          return showLines(box, body.text.split(/\r?\n/));
        }

        """#
}
#endif
