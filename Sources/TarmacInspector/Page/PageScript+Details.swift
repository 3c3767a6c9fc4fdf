#if Inspector
extension PageScript {
    /// The panel of one call.
    static let details = #"""
        const TABS = ["overview", "attemptsTab", "request", "response", "events", "settings"];
        const PHASES = ["queued", "nameResolution", "connect", "tls", "send", "wait", "receive"];
        let entry = null, curl = "", openID = null, tab = "overview", marked = null, version = 0;

        async function openDetails(id) {
          openID = id;
          const asked = ++version;
          const loaded = await attemptTo(async () => (await get("/api/call?id=" + id)).json());
          if (asked !== version || !loaded) return;
          entry = loaded.entry; curl = loaded.curl ?? "";
          find("details").hidden = false;
          drawDetails();
        }
        function closeDetails() {
          version++;
          entry = null; openID = null;
          find("details").hidden = true;
          find("rows").focus();
        }
        /** Loads the open call again after it has changed, without losing the place in it. */
        let refreshTimer;
        function refreshDetails() {
          clearTimeout(refreshTimer);
          refreshTimer = setTimeout(() => { if (openID !== null && calls.has(openID)) openDetails(openID); }, 150);
        }

        function drawDetails() {
          const first = entry.request ?? entry.attempts[0]?.request;
          find("title").textContent = "#" + openID + " " + (first ? first.method + " " + partsOf(first.url).path : entry.endpoint);
          drawActions();
          const tabs = empty(find("tabs"));
          for (const name of TABS) {
            const button = add(tabs, element("button", "", word(name) + (name === "attemptsTab" ? " " + entry.attempts.length : ""))).lastChild;
            button.setAttribute("role", "tab");
            button.setAttribute("aria-selected", String(name === tab));
            button.dataset.tab = name;
            button.addEventListener("click", () => { tab = name; drawDetails(); });
          }
          const panel = find("panel"), top = panel.scrollTop;
          PANELS[tab](empty(panel));
          panel.scrollTop = top;
        }

        function drawActions() {
          const actions = empty(find("actions"));
          const button = (name, text, action) => {
            const made = add(actions, element("button", "", text)).lastChild;
            made.id = "action-" + name;
            made.addEventListener("click", () => attemptTo(action));
            return made;
          };
          if (state.canSend) button("resend", word("resend"), async () => {
            const sent = await post("/api/resend", { id: openID });
            toast(word("resent", sent.status ?? sent.failure) + (sent.leftOut.length ? word("leftOut", sent.leftOut.join(", ")) : ""));
          });
          button("curl", word("curl"), () => copy(curl));
          const other = marked !== null && marked !== openID && calls.has(marked) ? marked : null;
          button("compare", other === null ? word("compare") : word("compareWith", other), async () => {
            if (other !== null) { marked = null; await showDifference(other, openID); drawActions(); return; }
            marked = openID;
            toast(word("marked", openID));
          });
        }

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
          let start = attempt.start;
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
        const wholeOf = (entry) => Math.max(entry.duration ?? 0, ...entry.attempts.map((attempt) => attempt.start + (attempt.timings?.total ?? 0)));

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
            const sent = entry.request ?? entry.attempts[entry.attempts.length - 1]?.request;
            if (!sent) { add(panel, element("p", "dim", word("noRequest"))); return; }
            table(panel, [[sent.method, sent.url]]);
            headers(panel, sent);
            showBody(panel, sent.body);
          },
          response(panel) {
            const answer = entry.response ?? entry.attempts[entry.attempts.length - 1]?.response;
            if (!answer) { add(panel, element("p", "dim", word("noResponse"))); return; }
            table(panel, [[word("status"), answer.status + " " + answer.reasonPhrase], [word("version"), answer.version], [word("source"), answer.source]]);
            headers(panel, answer);
            showBody(panel, answer.body);
          },
          events(panel) {
            if (!entry.events.length) add(panel, element("p", "dim", word("noEvents")));
            table(panel, entry.events.map((event) => ["+" + (milliseconds(event.at) || "0"), event.kind + " · " + event.text]));
          },
          settings(panel) {
            const asked = version;
            attemptTo(async () => {
              let answer;
              try { answer = await (await get("/api/settings?service=" + encodeURIComponent(entry.service))).json(); } catch { answer = null; }
              if (asked !== version || tab !== "settings") return;
              empty(panel);
              if (!answer) { add(panel, element("p", "dim", word("noSettings"))); return; }
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
