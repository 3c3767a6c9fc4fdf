#if Inspector
/// The style of the page, light and dark.
enum PageStyle {
    static let text = #"""
        :root { --back:#f4f3ef; --panel:#fffefb; --line:#d9d6cc; --text:#22241f; --dim:#6b6d63; --accent:#a35a00; --lane:#e9e6dc;
          --ok:#1f7a3f; --redirect:#2a66b8; --client:#b06000; --server:#b3261e; --flying:#7a5bc0; --cancelled:#7d7d78; --cache:#0e7c86;
          --queued:#b9b4a4; --name:#6d8fd1; --connect:#d08a2e; --tls:#a55fc2; --send:#3f9a8c; --wait:#5aa35a; --receive:#2f76c9;
          --on-server:#fff; --add:#dcefdc; --remove:#f6dcd9; --mono: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace; }
        @media (prefers-color-scheme: dark) { :root { --back:#101311; --panel:#171b18; --line:#2c322d; --text:#e6e4d8; --dim:#98998c;
          --accent:#ffbf47; --lane:#1f2521; --ok:#6fce8b; --redirect:#82b1ff; --client:#ffb454; --server:#ff7a70; --flying:#c3a6ff;
          --cancelled:#8e9088; --cache:#5fd0da; --queued:#565b52; --on-server:#000; --add:#1d3a26; --remove:#432320; } }
        * { box-sizing: border-box; }
        [hidden] { display: none !important; }
        html, body { height: 100%; margin: 0; }
        body { display: flex; flex-direction: column; background: var(--back); color: var(--text); font: 13px/1.4 system-ui, sans-serif; }
        header { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; padding: 7px 12px; background: var(--panel);
          border-bottom: 1px solid var(--line); }
        h1 { margin: 0 6px 0 0; font: 700 15px var(--mono); letter-spacing: .08em; text-transform: uppercase; }
        .plane { color: var(--accent); }
        .gap { flex: 1; }
        #link { font: 11px var(--mono); color: var(--dim); min-width: 4em; }
        #link.on::before { content: "● "; color: var(--ok); } #link.off::before { content: "● "; color: var(--server); }
        #count { font: 12px var(--mono); color: var(--dim); }
        #warning, #faults-now { background: var(--server); color: var(--on-server); padding: 6px 12px; font-weight: 600; }
        button, select, input { font: inherit; color: inherit; background: var(--back); border: 1px solid var(--line); border-radius: 5px; padding: 3px 9px; }
        button { cursor: pointer; } button:hover { border-color: var(--accent); } button:disabled { opacity: .5; cursor: default; }
        button[aria-pressed=true], [role=tab][aria-selected=true] { background: var(--text); color: var(--panel); border-color: var(--text); }
        :focus-visible { outline: 2px solid var(--accent); outline-offset: -1px; }
        #search { flex: 0 1 140px; } #host { max-width: 120px; } #environment { max-width: 120px; } header button, header select { padding: 3px 7px; }
        #states { display: flex; gap: 3px; } #states button { padding: 3px 5px; }
        main { flex: 1; min-height: 0; display: flex; }
        #board { flex: 1; min-width: 0; display: flex; flex-direction: column; }
        #rows { flex: 1; min-height: 0; overflow-y: scroll; position: relative; }
        .row { display: grid; grid-template-columns: 92px 58px minmax(80px, 1fr) minmax(120px, 2.2fr) 76px 78px 70px 34px minmax(120px, 2fr);
          gap: 8px; height: 28px; line-height: 28px; padding: 0 12px; font-family: var(--mono); font-size: 12px; white-space: nowrap;
          border-bottom: 1px solid var(--line); }
        .row > span { overflow: hidden; text-overflow: ellipsis; }
        .row.head { color: var(--dim); font-size: 10.5px; letter-spacing: .09em; text-transform: uppercase; overflow-y: scroll; scrollbar-color: transparent transparent; }
        .list { position: absolute; inset: 0 0 auto 0; }
        .item { position: absolute; left: 0; right: 0; cursor: default; }
        .row.item:hover { background: var(--lane); } .row[aria-selected=true] { background: var(--lane); box-shadow: inset 3px 0 var(--accent); }
        .right { text-align: right; } .dim { color: var(--dim); }
        .outcome { font-weight: 700; }
        .ok { --hue: var(--ok); } .redirect { --hue: var(--redirect); } .client { --hue: var(--client); } .server { --hue: var(--server); }
        .flying { --hue: var(--flying); } .cancelled { --hue: var(--cancelled); } .cache { --hue: var(--cache); }
        .outcome { color: var(--hue); }
        .lane { position: relative; background: var(--lane); height: 14px; margin-top: 7px; border-radius: 3px; overflow: hidden; }
        .lane i { position: absolute; top: 5px; height: 4px; min-width: 2px; background: var(--hue); opacity: .45; border-radius: 2px; }
        .lane i.attempt { top: 2px; height: 10px; opacity: 1; }
        .flying .lane i { animation: taxi 1.2s ease-in-out infinite alternate; }
        @keyframes taxi { to { opacity: .25; } } @media (prefers-reduced-motion: reduce) { .flying .lane i { animation: none; } }
        #empty { position: absolute; left: 20px; top: 130px; color: var(--dim); }
        #details { flex: 0 0 44%; min-width: 360px; display: flex; flex-direction: column; background: var(--panel); border-left: 1px solid var(--line); }
        .bar { display: flex; gap: 6px; align-items: center; padding: 7px 12px 0; } #title { font-family: var(--mono); overflow-wrap: anywhere; }
        .tabs { display: flex; gap: 4px; padding: 8px 12px; border-bottom: 1px solid var(--line); }
        #panel { flex: 1; min-height: 0; overflow: auto; padding: 10px 12px; position: relative; }
        h2 { margin: 14px 0 4px; font: 600 11px var(--mono); letter-spacing: .08em; text-transform: uppercase; color: var(--dim); } h2:first-child { margin-top: 0; }
        table { border-collapse: collapse; width: 100%; font: 12px var(--mono); table-layout: auto; }
        th { width: 118px; } td, th { text-align: left; vertical-align: top; padding: 2px 10px 2px 0; overflow-wrap: anywhere; } th { font-weight: 400; color: var(--dim); white-space: nowrap; }
        .timing { display: grid; grid-template-columns: 110px 1fr 84px; gap: 8px; align-items: center; font: 12px var(--mono); }
        .timing .track { position: relative; height: 10px; background: var(--lane); border-radius: 3px; } .track i { position: absolute; top: 0; height: 10px; min-width: 2px; border-radius: 3px; }
        .p-queued { background: var(--queued); } .p-nameResolution { background: var(--name); } .p-connect { background: var(--connect); } .p-tls { background: var(--tls); }
        .p-send { background: var(--send); } .p-wait { background: var(--wait); } .p-receive { background: var(--receive); }
        .text { position: relative; overflow: auto; height: 46vh; min-height: 120px; border: 1px solid var(--line); border-radius: 5px; background: var(--back);
          font: 12px/20px var(--mono); }
        .text .item { height: 20px; white-space: pre; padding: 0 8px; right: auto; min-width: 100%; }
        .fold { border: 0; background: none; padding: 0; width: 1ch; line-height: 20px; color: var(--accent); } .k { color: var(--redirect); } .s { color: var(--ok); } .n { color: var(--client); } .b { color: var(--flying); }
        .more { border: 0; padding: 0 4px; margin-left: 4px; line-height: 18px; color: var(--accent); }
        .added { background: var(--add); } .removed { background: var(--remove); }
        img { max-width: 100%; max-height: 60vh; border: 1px solid var(--line); background: repeating-conic-gradient(#8883 0 25%, transparent 0 50%) 0 0/16px 16px; }
        .failure { color: var(--server); overflow-wrap: anywhere; font-family: var(--mono); }
        dialog { width: 92vw; height: 86vh; color: inherit; background: var(--panel); border: 1px solid var(--line); border-radius: 8px; padding: 0 0 12px; }
        .danger { background: var(--server); color: var(--on-server); border-color: var(--server); }
        #faults { width: min(560px, 92vw); height: fit-content; max-height: 86vh; } #fault-rows { padding: 8px 12px 0; }
        .fault span { flex: 1; } .fault { display: flex; gap: 12px; align-items: center; padding: 3px 0; font-family: var(--mono); }
        #answer-body { display: block; width: calc(100% - 24px); height: calc(100% - 90px); margin: 8px 12px 0; font: 12px/20px var(--mono); color: inherit;
          background: var(--back); border: 1px solid var(--line); border-radius: 5px; resize: none; }
        dialog .text { height: calc(100% - 50px); margin: 8px 12px 0; } dialog::backdrop { background: #0008; }
        #toast { position: fixed; left: 50%; bottom: 18px; transform: translateX(-50%); background: var(--text); color: var(--panel); border-radius: 6px; padding: 6px 14px; max-width: 80vw; }
        #toast:empty { display: none; }
        @media (max-width: 900px) { main { flex-direction: column; } #details { flex: 0 0 55%; border-left: 0; border-top: 1px solid var(--line); min-width: 0; } }
        """#
}
#endif
