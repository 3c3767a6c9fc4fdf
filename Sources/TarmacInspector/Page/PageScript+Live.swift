#if Inspector
extension PageScript {
    /// The connection to the server, the keys and the start.
    static let live = #"""
        let source = null, isLoading = false, loadAgain = false, pending = [], loads = 0, lastLoad = -Infinity, loadTimer = null, retryTimer = null;

        function apply(change) {
          if (isLoading) { pending.push(change); if (pending.length > 5000) { pending = []; loadAgain = true; } return; }
          change();
          planCompute();
        }
        /** Loads the list again, at most once a second. */
        function load() {
          if (isLoading) { loadAgain = true; return; }
          if (loadTimer !== null) return;
          loadTimer = setTimeout(() => { loadTimer = null; loadNow(); }, Math.max(0, lastLoad + 1000 - performance.now()));
        }
        async function loadNow() {
          isLoading = true;
          await attemptTo(async () => {
            state = await (await get("/api/state")).json();
            const list = await (await get("/api/calls")).json();
            dropCalls();
            for (const call of list) noteCall(call);
          });
          isLoading = false;
          lastLoad = performance.now();
          const waiting = pending;
          pending = [];
          for (const change of waiting) change();
          drawState();
          compute();
          searchAgain();
          if (openID !== null && calls.has(openID)) refreshDetails();
          loads++;
          document.body.dataset.loads = loads;
          if (loadAgain) { loadAgain = false; load(); }
        }

        function connect() {
          disconnect();
          source = new EventSource("/api/events?token=" + encodeURIComponent(token));
          source.addEventListener("hello", () => { setLink("live", "on"); load(); });
          source.addEventListener("reset", load);
          source.addEventListener("cleared", () => apply(() => { dropCalls(); found = null; }));
          source.addEventListener("rows", (event) => {
            const changed = JSON.parse(event.data);
            apply(() => { for (const call of changed) { noteCall(call); if (call.id === openID) refreshDetails(); } });
            searchAgain();
          });
          source.addEventListener("removed", (event) => { const ids = JSON.parse(event.data); apply(() => { for (const id of ids) dropCall(id); }); });
          source.addEventListener("error", () => {
            setLink("lost", "off");
            // The browser tries again by itself unless the server refused it.
            if (source?.readyState === EventSource.CLOSED) explainAndRetry();
          });
        }
        function disconnect() {
          clearTimeout(retryTimer);
          source?.close();
          source = null;
        }
        async function explainAndRetry() {
          disconnect();
          retryTimer = setTimeout(connect, 5000);
          await attemptTo(async () => {
            state = await (await get("/api/state")).json();
            if (state.pagesLeft === 0) toast(reasonText({ code: "tooManyPages", value: state.pages, reason: state.pages + " pages are open, and there may not be more" }));
            drawState();
          });
        }
        // A page in the background holds no connection, which the others may need.
        document.addEventListener("visibilitychange", () => {
          if (!state.isLive) return;
          if (document.hidden) disconnect(); else connect();
        });

        let link = ["lost", "off"];
        function setLink(name, kind) {
          link = [name, kind];
          find("link").textContent = word(name);
          find("link").className = kind;
        }

        function drawState() {
          for (const id of ["pause", "clear"]) find(id).hidden = !state.isLive;
          find("pause").textContent = word(state.isPaused ? "resume" : "pause");
          find("pause").setAttribute("aria-pressed", String(state.isPaused));
          const warning = state.warning ?? null;
          find("warning").hidden = warning === null;
          find("warning").textContent = warning === null ? "" : word("exposed", warning);
          const choice = find("environment");
          choice.hidden = !state.environments.length;
          const names = [...new Set([...state.environments, state.environment])].filter((name) => name);
          if (names.join("\n") !== [...choice.options].map((option) => option.value).join("\n")) {
            empty(choice);
            for (const name of names) add(choice, element("option", "", name)).lastChild.value = name;
          }
          choice.value = state.environment ?? "";
          drawFaults();
          if (entry) drawDetails();
        }
        function drawWords() {
          document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
          for (const place of document.querySelectorAll("[data-word]")) place.textContent = word(place.dataset.word);
          for (const id of ["clear", "har"]) find(id).textContent = word(id);
          for (const id of ["close", "difference-close", "faults-close"]) find(id).textContent = word("close") + "  Esc";
          find("faults-title").textContent = word("services");
          find("language").textContent = word("other");
          find("search").placeholder = word("search");
          find("search").setAttribute("aria-label", word("search"));
          find("environment").setAttribute("aria-label", word("environment"));
          find("rows").setAttribute("aria-label", word("calls", ""));
          const states = empty(find("states"));
          for (const name of OUTCOMES) {
            const button = add(states, element("button", "outcome " + name, word(name))).lastChild;
            button.dataset.outcome = name;
            button.setAttribute("aria-pressed", String(filter.outcomes.has(name)));
            button.addEventListener("click", () => {
              if (!filter.outcomes.delete(name)) filter.outcomes.add(name);
              button.setAttribute("aria-pressed", String(filter.outcomes.has(name)));
              compute();
            });
          }
          setLink(...link);
          drawState();
          compute();
        }

        find("search").addEventListener("input", (event) => search(event.target.value));
        for (const id of ["method", "host"]) find(id).addEventListener("change", (event) => { filter[id] = event.target.value; compute(); });
        find("language").addEventListener("click", () => {
          language = language === "zh" ? "en" : "zh";
          // It stays for this tab, as the token does.
          try { sessionStorage.setItem("tarmac-language", language); } catch { }
          drawWords();
        });
        find("clear").addEventListener("click", () => attemptTo(() => post("/api/clear", {})));
        find("pause").addEventListener("click", () => attemptTo(async () => { state = await post("/api/pause", { paused: !state.isPaused }); drawState(); }));
        find("environment").addEventListener("change", (event) => attemptTo(async () => {
          try { state = await post("/api/environment", { name: event.target.value }); } finally { drawState(); }
        }));
        find("har").addEventListener("click", () => attemptTo(async () => {
          const link = element("a");
          link.href = URL.createObjectURL(await (await get("/api/har")).blob());
          link.download = "calls.har";
          link.click();
          setTimeout(() => URL.revokeObjectURL(link.href), 10000);
        }));
        find("close").addEventListener("click", closeDetails);
        find("difference-close").addEventListener("click", () => find("difference").close());

        document.addEventListener("keydown", (event) => {
          if (event.ctrlKey || event.metaKey || event.altKey || find("difference").open || find("faults").open || find("answer").open) return;
          const isTyping = ["INPUT", "SELECT", "TEXTAREA"].includes(event.target.tagName), isInText = event.target.closest("#panel") !== null;
          if (event.key === "Escape") {
            if (isTyping && find("search").value) { find("search").value = ""; search(""); } else if (isTyping) find("rows").focus(); else closeDetails();
          } else if (isTyping) {
            if (event.key !== "ArrowDown" || event.target.id !== "search") return;
            find("rows").focus();
            move(1);
          } else if (event.key === "/") find("search").focus();
          else if (isInText) return;
          else if (event.key === "ArrowDown" || event.key === "j") move(1);
          else if (event.key === "ArrowUp" || event.key === "k") move(-1);
          else if (event.key === "PageDown") move(20);
          else if (event.key === "PageUp") move(-20);
          else if (event.key === "Home") moveTo(0);
          else if (event.key === "End") moveTo(shown.length - 1);
          else if (event.key === "Enter" && event.target.id === "rows" && selected !== null) openDetails(selected);
          else return;
          event.preventDefault();
        });

        drawWords();
        find("rows").focus();
        (async () => {
          // The event source loads the calls of a log as soon as it is open.
          const first = await attemptTo(async () => (await get("/api/state")).json());
          if (first) state = first;
          if (first && !state.isLive) { setLink("file", "on"); load(); } else if (document.hidden) load(); else connect();
          drawState();
        })();
        // The lanes of calls in flight grow.
        setInterval(() => { if (shown.some((call) => call.state === "flying")) rows.plan(); }, 500);
        """#
}
#endif
