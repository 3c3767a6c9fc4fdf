#if Inspector
extension PageScript {
    /// The panel of one call.
    static let details = #"""
        const TABS = ["overview", "attemptsTab", "request", "response", "events", "settings"];
        const PHASES = ["queued", "nameResolution", "connect", "tls", "send", "wait", "receive"];
        let entry = null, curl = "", openID = null, tab = "overview", marked = null, version = 0, loadedText = "";

        async function openDetails(id) {
          const number = ++version;
          if (openID !== id) { folds.clear(); entry = null; setAsk(null); }
          openID = id;
          const text = await attemptTo(async () => (await get("/api/call?id=" + id)).text());
          if (number !== version) return;
          if (text === undefined) { if (!entry) closeDetails(); return; }
          if (text === loadedText && entry) return;
          const loaded = JSON.parse(text);
          loadedText = text; entry = loaded.entry; curl = loaded.curl ?? "";
          find("details").hidden = false;
          drawDetails();
        }
        function closeDetails() {
          version++;
          entry = null; openID = null; loadedText = "";
          endPanel();
          find("details").hidden = true;
          find("rows").focus();
        }
        /** Loads the open call again after it has changed, without losing the place in it. */
        let refreshTimer = null;
        function refreshDetails() {
          if (refreshTimer !== null) return;
          refreshTimer = setTimeout(() => { refreshTimer = null; if (openID !== null && calls.has(openID)) openDetails(openID); }, 150);
        }

        const sentRequest = () => entry.request ?? entry.attempts[entry.attempts.length - 1]?.request;
        const lastResponse = () => entry.response ?? entry.attempts[entry.attempts.length - 1]?.response;
        /** What each panel shows. A panel is built again only if that has changed. */
        const CONTENT = {
          overview: () => [{ ...entry, events: null }, calls.get(openID)?.fault], attemptsTab: () => entry.attempts, request: sentRequest, response: lastResponse,
          events: () => entry.events, settings: () => [entry.service, state.environment],
        };
        let panelKey = "", panelContent = null, panelList = null;
        const folds = new Map();
        /** The folds of a body, which stay while the call changes. */
        function foldsOf(name) {
          if (!folds.has(name)) folds.set(name, new Set());
          return folds.get(name);
        }
        function endPanel() { panelList?.end(); panelList = null; panelKey = ""; panelContent = null; empty(find("panel")); }
        /** Whether two values are equal. Those that were not loaded again are the same object, and are not looked into. */
        function areEqual(one, other) {
          if (one === other) return true;
          if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
          const keys = Object.keys(one);
          return keys.length === Object.keys(other).length && keys.every((key) => areEqual(one[key], other[key]));
        }

        for (const name of TABS) {
          const button = add(find("tabs"), element("button")).lastChild;
          button.setAttribute("role", "tab");
          button.dataset.tab = name;
          button.addEventListener("click", () => { tab = name; drawDetails(); });
          button.addEventListener("keydown", (event) => {
            const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
            if (!step) return;
            tab = TABS[(TABS.indexOf(tab) + step + TABS.length) % TABS.length];
            drawDetails();
            find("tabs").querySelector("[data-tab=" + tab + "]").focus();
            event.preventDefault();
          });
        }
        function drawDetails() {
          const first = entry.request ?? entry.attempts[0]?.request;
          find("title").textContent = "#" + openID + " " + (first ? first.method + " " + partsOf(first.url).path : entry.endpoint);
          drawActions();
          for (const button of find("tabs").children) {
            const isOpen = button.dataset.tab === tab;
            button.textContent = word(button.dataset.tab) + (button.dataset.tab === "attemptsTab" ? " " + entry.attempts.length : "");
            button.setAttribute("aria-selected", String(isOpen));
            button.tabIndex = isOpen ? 0 : -1;
          }
          const key = [language, openID, tab].join(" "), content = CONTENT[tab]() ?? null, isSame = panelKey === key;
          if (isSame && areEqual(content, panelContent)) { panelContent = content; return; }
          const panel = find("panel"), box = panel.querySelector(".text"), hadFocus = panel.contains(document.activeElement);
          const place = isSame ? [panel.scrollTop, box?.scrollTop ?? 0] : [0, 0], wasInBox = hadFocus && box?.contains(document.activeElement);
          endPanel();
          panelKey = key;
          panelContent = content;
          panelList = PANELS[tab](panel) ?? null;
          panel.scrollTop = place[0];
          const newBox = panel.querySelector(".text");
          if (newBox) newBox.scrollTop = place[1];
          if (hadFocus) (wasInBox && newBox ? newBox : panel).focus({ preventScroll: true });
        }

        // MARK: Actions

        const SAFE = new Set(["GET", "HEAD", "OPTIONS", "TRACE"]);
        /** The call for which a second click is asked, and whether its host is not the service's own. */
        let asked = null, askTimer = null, sending = false;
        function setAsk(ask) {
          asked = ask;
          clearTimeout(askTimer);
          if (ask) askTimer = setTimeout(() => { setAsk(null); }, 10000);
          if (entry) drawActions();
        }
        async function resend() {
          if (sending || !entry) return;
          const id = openID, request = sentRequest(), isAsked = asked?.id === id, isForeign = isAsked && asked.isForeign;
          if (!isAsked && !SAFE.has(request?.method ?? "GET")) { setAsk({ id, isForeign: false }); return; }
          sending = true;
          setAsk(null);
          try {
            const sent = await post("/api/resend", { id, confirmed: isForeign });
            toast(word("resent", sent.status ?? sent.failure) + (sent.leftOut.length ? word("leftOut", sent.leftOut.join(", ")) : "") + " · " + word("resentPlain"));
          } catch (error) {
            if (error.code === "otherOrigin" && !isForeign && openID === id) setAsk({ id, isForeign: true });
            toast(error.message);
          } finally {
            sending = false;
            if (entry) drawActions();
          }
        }
        const otherMarked = () => marked !== null && marked !== openID && calls.has(marked) ? marked : null;
        async function compare() {
          const other = otherMarked(), id = openID;
          if (other === null) { marked = id; drawActions(); toast(word("marked", id)); return; }
          await showDifference(other, id);
          marked = null;
          if (entry) drawActions();
        }
        find("action-resend").addEventListener("click", resend);
        find("action-curl").addEventListener("click", () => copy(curl));
        find("action-compare").addEventListener("click", () => attemptTo(compare));
        function drawActions() {
          const request = sentRequest(), isAsked = asked?.id === openID, other = otherMarked(), button = find("action-resend");
          button.hidden = !state.canSend;
          button.disabled = sending;
          button.title = word("resentPlain");
          button.classList.toggle("danger", isAsked);
          button.textContent = sending ? word("sending") : isAsked ? word("resendTo", request?.method ?? "", partsOf(request?.url).host) : word("resend");
          find("action-curl").textContent = word("curl");
          find("action-answer").hidden = !state.faults || !entry.service;
          find("action-answer").textContent = word("answerWith");
          find("action-compare").textContent = other === null ? word("compare") : word("compareWith", other);
        }

        // MARK: Panels

        function table(parent, pairs) {
          const made = add(parent, element("table")).lastChild;
          for (const [name, value] of pairs) if (value !== undefined && value !== null && value !== "") add(made, add(element("tr"), element("th", "", name), element("td", "", value)));
        }
        function headers(parent, message) {
          add(parent, element("h2", "", word("headers")));
          table(parent, message.headers.map((field) => [field.name, field.value]));
        }
        function timings(parent, attempt, whole) {
          const spans = attempt.timings;
          if (!spans) return;
          // The attempt begins after its wait.
          let start = Math.max(0, attempt.start - (spans.queued ?? 0));
          const scale = 100 / Math.max(whole, 0.001);
          const line = (name, from, length, classes) => {
            const bar = element("i", classes), track = add(element("span", "track"), bar);
            bar.style.left = Math.min(100, from * scale) + "%";
            bar.style.width = Math.min(100, length * scale) + "%";
            add(parent, add(element("div", "timing"), element("span", "dim", word(name)), track, element("span", "right", milliseconds(length))));
          };
          for (const phase of PHASES) if (spans[phase] !== null && spans[phase] !== undefined) { line(phase, start, spans[phase], "p-" + phase); start += spans[phase]; }
          table(parent, [[word("total"), milliseconds(spans.total)], [word("remote"), spans.remoteAddress], [word("reused"), spans.isReused === undefined ? "" : word(spans.isReused ? "yes" : "no")],
            [word("sent"), spans.bytesSent], [word("received"), spans.bytesReceived]]);
        }
        const wholeOf = (entry) => entry.attempts.reduce((most, attempt) => Math.max(most, attempt.start + (attempt.timings?.total ?? 0)), entry.duration ?? 0);

        const PANELS = {
          overview(panel) {
            const row = calls.get(openID), first = entry.request ?? entry.attempts[0]?.request;
            if (entry.failure) add(panel, element("p", "failure", entry.failure.text));
            table(panel, [[word("url"), first?.url], [word("status"), row ? statusText(row) : entry.state], [word("duration"), milliseconds(entry.duration)],
              [word("started"), new Date(entry.start).toLocaleDateString() + " " + clock(entry.start)], [word("endpoint"), entry.endpoint], [word("service"), entry.service],
              [word("source"), entry.response?.source], [word("version"), entry.response?.version], [word("owner"), word(entry.hasOwner ? "yes" : "no")], [word("tags"), entry.tags.join(", ")]]);
            for (const attempt of entry.attempts) {
              add(panel, element("h2", "", word("attempt", attempt.number) + (attempt.reason ? " · " + attempt.reason : "")));
              timings(panel, attempt, wholeOf(entry));
            }
          },
          attemptsTab(panel) {
            if (!entry.attempts.length) add(panel, element("p", "dim", word("noRequest")));
            for (const attempt of entry.attempts) {
              add(panel, element("h2", "", word("attempt", attempt.number) + (attempt.reason ? " · " + attempt.reason : "")));
              if (attempt.failure) add(panel, element("p", "failure", attempt.failure.text));
              table(panel, [[attempt.request.method, attempt.request.url], [word("status"), attempt.response ? attempt.response.status + " " + attempt.response.reasonPhrase : ""],
                [word("version"), attempt.response?.version]]);
              timings(panel, attempt, wholeOf(entry));
              headers(panel, attempt.request);
              if (attempt.response) headers(panel, attempt.response);
            }
          },
          request(panel) {
            const sent = sentRequest();
            if (!sent) { add(panel, element("p", "dim", word("noRequest"))); return null; }
            table(panel, [[sent.method, sent.url]]);
            headers(panel, sent);
            return showBody(panel, sent.body, foldsOf("request"));
          },
          response(panel) {
            const answer = lastResponse();
            if (!answer) { add(panel, element("p", "dim", word("noResponse"))); return null; }
            table(panel, [[word("status"), answer.status + " " + answer.reasonPhrase], [word("version"), answer.version], [word("source"), answer.source]]);
            headers(panel, answer);
            return showBody(panel, answer.body, foldsOf("response"));
          },
          events(panel) {
            if (!entry.events.length) add(panel, element("p", "dim", word("noEvents")));
            table(panel, entry.events.map((event) => ["+" + (milliseconds(event.at) || "0"), event.kind + " · " + event.text]));
          },
          settings(panel) {
            const content = panelContent;
            attemptTo(async () => {
              let answer;
              try { answer = await (await get("/api/settings?service=" + encodeURIComponent(entry.service))).json(); } catch { answer = null; }
              if (content !== panelContent) return;
              empty(panel);
              if (!answer) { add(panel, element("p", "dim", word("noSettings"))); return; }
              table(panel, [[word("environment"), state.environment], [word("host"), answer.host]]);
              const made = add(panel, element("table")).lastChild;
              add(made, add(element("tr"), ...["settings", "value", "origin", "hidden"].map((name) => element("th", "", word(name)))));
              for (const row of answer.settings) add(made, add(element("tr"), element("td", "k", row.name), element("td", "", row.value), element("td", "", row.origin),
                element("td", "dim", row.hidden.map((layer) => layer.origin + " " + layer.value).join(", "))));
            });
          },
        };

        """#
}
#endif
