#if Tools
/// The lines at the end of the tour: pages to read and commands to try (pure).
struct TourEnding {
    let language: TourLanguage
    /// The program as a word of the shell.
    let program: String
    /// The address of the inspector's page. `nil` if there is none.
    let page: String?

    var lines: [String] {
        let inspector = page.map { [Sentence.pageUntilInterrupt.text(in: language, $0)] } ?? []
        return [Sentence.next.text(in: language)] + rows(pages) + [Sentence.tries.text(in: language)] + rows(commands) + inspector
    }

    /// The pages, by their paths in the repository.
    var pages: [(name: String, sentence: Sentence)] {
        [
            (language == .chinese ? "Documentation/Start/README.zh-CN.md" : "Documentation/Start/README.md", .nextPages),
            ("Documentation/MovingFrom", .nextOldLayers), ("Documentation/Architecture.md", .nextArchitecture),
            ("Sources/TarmacCLI/Demo", .nextSource),
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
