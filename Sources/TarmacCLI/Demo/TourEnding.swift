#if Tools
/// The lines at the end of the tour: commands to try and pages to read (pure). The last line is the first page to read, or the address
/// of the inspector's page.
struct TourEnding {
    let language: TourLanguage
    /// The program as a word of the shell.
    let program: String
    /// The address of the inspector's page. `nil` if there is none.
    let page: String?

    var lines: [String] {
        let inspector = page.map { [Sentence.pageUntilInterrupt.text(in: language, $0)] } ?? []
        return [Sentence.tries.text(in: language)] + rows(commands) + [Sentence.next.text(in: language)] + rows(pages) + inspector
    }

    /// The pages, by their paths in the repository. The page to start with is the last one, above the prompt of the shell.
    var pages: [(name: String, sentence: Sentence)] {
        [
            ("Sources/TarmacCLI/Demo", .nextSource), ("Documentation/Architecture.md", .nextArchitecture),
            ("Documentation/MovingFrom", .nextOldLayers),
            (language == .chinese ? "Documentation/Start/README.zh-CN.md" : "Documentation/Start/README.md", .nextPages),
        ]
    }

    var commands: [(name: String, sentence: Sentence)] {
        let inspect: [(String, Sentence)] = page == nil ? [("\(program) demo --inspect", .tryInspect)] : []
        return inspect + [
            ("\(program) demo --stop TA104", .tryStop), ("\(program) serve", .tryServe), ("\(program) get :8080/users/7 --verbose", .tryGet),
        ]
    }

    private func rows(_ rows: [(name: String, sentence: Sentence)]) -> [String] {
        let width = (rows.map(\.name.columns).max() ?? 0) + 2
        return rows.map { "  \($0.name.padded(to: width))\($0.sentence.text(in: language))" }
    }
}
#endif
