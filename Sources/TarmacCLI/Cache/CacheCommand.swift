#if Tools
import ArgumentParser
import Foundation
import Tarmac
import TarmacSQLite

/// `tarmac cache`: a look into a cache, of an app or of `--cache`, and a broom for it.
struct CacheCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache", abstract: "List, show or remove what a cache has stored.",
        discussion: """
            tarmac get https://api.example.com/users --cache answers.db
            tarmac cache list --store answers.db
            tarmac cache show https://api.example.com/users --store answers.db
            tarmac cache purge --prefix https://api.example.com/ --store answers.db

            The app may be running. Of a sealed cache only the size is told, and only all of it can be removed.
            """,
        subcommands: [CacheListCommand.self, CacheShowCommand.self, CachePurgeCommand.self, CacheStatsCommand.self])
}

/// `tarmac cache list`
struct CacheListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List entries. Secrets in URLs are masked.")

    @OptionGroup var place: CachePlace
    @OptionGroup var selection: CacheSelectionArguments

    @Option(name: .long, help: "How many at most.")
    var limit = 100

    func validate() throws {
        if limit < 1 { throw ValidationError("--limit is at least 1.") }
    }

    func run() async throws {
        let store = try place.open()
        let entries = try await store.list(selection.selection, after: nil, limit: limit)
        let report = CacheReport(palette: Console.terminal.palette)
        for entry in entries { try Console.line(report.line(entry)) }
        if store.isShut {
            Console.note("The cache is sealed: what is in it cannot be told.")
        } else if entries.isEmpty {
            Console.note(selection.selection == .all ? "Nothing is stored." : "Nothing that is stored is meant.")
        }
        if entries.count == limit { Console.note("There may be more; --limit shows them.") }
    }
}

/// `tarmac cache show`
struct CacheShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show heads, and how large the bodies are. Secrets are masked; bodies are not shown.")

    @OptionGroup var place: CachePlace

    @Argument(help: "A URL, or an ID that list has shown.")
    var what: String

    func run() async throws {
        let store = try place.open()
        let entries = try await store.list(CacheSelectionArguments.named(what), after: nil, limit: 100)
        if entries.isEmpty {
            throw TarmacError(.notCached, "nothing is stored under \"\(CacheReport.shown(what))\"", suggestion: "see what is with tarmac cache list")
        }
        let report = CacheReport(palette: Console.terminal.palette)
        try Console.line(entries.map(report.text).joined(separator: "\n\n"))
    }
}

/// `tarmac cache purge`
struct CachePurgeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "purge", abstract: "Remove entries for good.")

    @OptionGroup var place: CachePlace
    @OptionGroup var selection: CacheSelectionArguments

    @Flag(name: .long, help: "All entries; what is not said otherwise is meant.")
    var all = false

    /// Only named entries are removed.
    func validate() throws {
        if !all, selection.selection == .all { throw ValidationError("Say which entries: --url, --prefix, --tag, --service, --principal, --id, or --all.") }
    }

    func run() async throws {
        let count = try await place.open().remove(selection.selection)
        Console.note("\(count) \(count == 1 ? "entry was" : "entries were") removed.")
    }
}

/// `tarmac cache stats`
struct CacheStatsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "stats", abstract: "Tell how many entries there are and what they take.")

    @OptionGroup var place: CachePlace

    func run() async throws {
        let store = try place.open()
        try Console.line(CacheReport.text(try await store.statistics(), isSealed: store.isShut, file: try place.size()))
    }
}
#endif
