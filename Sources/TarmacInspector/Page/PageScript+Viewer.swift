#if Inspector
extension PageScript {
    /// Texts and JSON of any size, of which only the visible lines are elements.
    static let viewer = #"""
        /** A number as it was written: JavaScript rounds long ones. */
        class Numeral { constructor(text) { this.text = text; } }

        function parseJSON(text) {
          const value = JSON.parse(text, (key, value, context) => typeof value === "number" ? new Numeral(context?.source ?? String(value)) : value);
          return typeof value === "object" && value !== null && !(value instanceof Numeral) ? value : undefined;
        }
        function isTree(value) { return typeof value === "object" && value !== null && !(value instanceof Numeral); }

        /**
         * The lines of a JSON document: { depth, key, path, value | node | isEnd }. Without recursion, because documents may be deep.
         * `closed` has the paths of the folds, which stay when the document is loaded again.
         */
        function linesOf(root, closed) {
          const lines = [], stack = [];
          const visit = (key, path, value, depth, last) => {
            if (!isTree(value)) { lines.push({ depth, key, value, last }); return; }
            const isList = Array.isArray(value), keys = isList ? value : Object.keys(value), count = keys.length;
            const folds = closed.size > 0 && closed.has(path);
            lines.push({ depth, key, path, node: value, isList, count, folds, last });
            if (!folds && count) stack.push({ value, path, keys: isList ? null : keys, next: 0, count, depth, last, isList });
          };
          visit(undefined, "", root, 0, true);
          while (stack.length) {
            const top = stack[stack.length - 1];
            if (top.next === top.count) { stack.pop(); lines.push({ depth: top.depth, isEnd: true, isList: top.isList, last: top.last }); continue; }
            const place = top.next++, key = top.keys ? top.keys[place] : undefined;
            visit(key, top.path + "/" + (top.keys ? JSON.stringify(key) : place), top.keys ? top.value[key] : top.value[place], top.depth + 1, place === top.count - 1);
          }
          return lines;
        }

        const LONGEST = 2000;
        function short(text) { return text.length > LONGEST ? text.slice(0, LONGEST) + word("tooLong", text.length - LONGEST) : text; }

        function showJSON(parent, root, closed) {
          const box = add(parent, element("div", "text")).lastChild;
          box.tabIndex = 0;
          let lines = linesOf(root, closed);
          const toggle = (path) => {
            if (!closed.delete(path)) closed.add(path);
            lines = linesOf(root, closed);
            list.setCount(lines.length);
            list.draw();
            for (const fold of box.querySelectorAll("button.fold")) if (fold.path === path) fold.focus({ preventScroll: true });
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
            } else { addValue(line, data.value); line.append(comma); }
          });
          list.setCount(lines.length);
          return list;
        }
        function addValue(line, value) {
          if (value instanceof Numeral) add(line, element("span", "n", value.text));
          else if (typeof value === "string") add(line, element("span", "s", JSON.stringify(short(value))));
          else add(line, element("span", "b", String(value)));
        }

        function showLines(box, lines, classOf) {
          const list = new VirtualList(box, 20, () => element("div"), (line, index) => {
            line.className = "item " + (classOf ? classOf(index) : "");
            line.textContent = short(lines[index]);
          });
          list.setCount(lines.length);
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
