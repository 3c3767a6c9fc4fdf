#if Inspector
/// The elements of the page. The script fills in the words, because they have two languages.
enum PageMarkup {
    static let text = #"""
        <div id="warning" hidden role="alert"></div>
        <div id="faults-now" hidden role="status"></div>
        <header>
          <h1><span class="plane" aria-hidden="true">◢</span> Tarmac</h1>
          <span id="link" role="status"></span>
          <input id="search" type="search" autocomplete="off" spellcheck="false">
          <select id="method"></select>
          <select id="host"></select>
          <div id="states" role="group"></div>
          <span class="gap"></span>
          <span id="count" role="status"></span>
          <select id="environment" hidden></select><button id="faults-open" hidden aria-haspopup="dialog"></button>
          <button id="pause"></button><button id="clear"></button><button id="har"></button><button id="language"></button>
        </header>
        <main>
          <section id="board">
            <div class="row head" aria-hidden="true">
              <span data-word="time"></span><span data-word="method"></span><span data-word="host"></span><span data-word="path"></span>
              <span data-word="status"></span><span class="right" data-word="duration"></span><span class="right" data-word="size"></span>
              <span class="right" data-word="attempts"></span><span data-word="lane"></span>
            </div>
            <div id="rows" tabindex="0" role="listbox"></div>
            <p id="empty" hidden></p>
          </section>
          <aside id="details" hidden>
            <div class="bar"><strong id="title"></strong><span class="gap"></span><button id="close"></button></div>
            <div class="bar" id="actions"><button id="action-resend"></button><button id="action-curl"></button><button id="action-compare"></button><button id="action-answer" aria-haspopup="dialog"></button></div>
            <div class="tabs" role="tablist" id="tabs"></div>
            <div id="panel" role="tabpanel" tabindex="0"></div>
          </aside>
        </main>
        <dialog id="difference"><div class="bar"><strong id="difference-title"></strong><span class="gap"></span>
          <button id="difference-close"></button></div><div id="difference-lines" class="text" tabindex="0"></div></dialog>
        <dialog id="faults"><div class="bar"><strong id="faults-title"></strong><span class="gap"></span>
          <button id="faults-close"></button></div><div id="fault-rows"></div></dialog>
        <dialog id="answer"><div class="bar"><strong id="answer-title"></strong><span class="gap"></span><button id="answer-close"></button></div>
          <div class="bar"><label><span data-word="status"></span> <input id="answer-status" inputmode="numeric" size="4"></label>
          <label><span data-word="contentType"></span> <input id="answer-type" size="30" spellcheck="false"></label><span class="gap"></span>
          <button id="answer-end"></button><button id="answer-save"></button></div><textarea id="answer-body" spellcheck="false"></textarea></dialog>
        <div id="toast" role="status" aria-live="polite"></div>
        """#
}
#endif
