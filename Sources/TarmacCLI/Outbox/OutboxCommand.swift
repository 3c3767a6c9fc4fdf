#if Tools
import ArgumentParser
import Foundation
import Tarmac
import TarmacOutbox
import TarmacSQLite

/// `tarmac outbox`: a look into the outbox of an app, and a hand for what got stuck in it.
struct OutboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox", abstract: "List, retry or drop what an outbox has stored.",
        discussion: """
            tarmac outbox list --db shop.db --dead
            tarmac outbox retry --db shop.db --dead
            tarmac outbox drop --db shop.db ID

            The app may be running: it sends what is retried the next time it looks, within a minute unless it was told otherwise.
            """,
        subcommands: [OutboxListCommand.self, OutboxRetryCommand.self, OutboxDropCommand.self])
}

/// `tarmac outbox list`
struct OutboxListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List entries, oldest first. Bodies and header values are not shown.")

    @OptionGroup var selection: OutboxSelection

    @Option(name: .long, help: "How many at most.")
    var limit = 100

    func run() async throws {
        let store = try selection.open()
        let entries = try await store.records(selection.filter, limit: limit)
        let report = OutboxReport(palette: Console.terminal.palette)
        for entry in entries { try Console.line(report.text(entry)) }
        if entries.isEmpty { Console.note("Nothing is stored.") }
        if entries.count == limit { Console.note("There may be more; --limit shows them.") }
    }
}

/// `tarmac outbox retry`
struct OutboxRetryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry", abstract: "Make dead letters wait again, and waiting entries due at once.")

    @OptionGroup var selection: OutboxSelection

    func validate() throws { try selection.validateMeant() }

    func run() async throws {
        let entries = try await selection.open().revive(selection.filter, now: .now)
        Console.note("\(entries.count) \(entries.count == 1 ? "entry is" : "entries are") due now.")
    }
}

/// `tarmac outbox drop`
struct OutboxDropCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drop", abstract: "Take entries out for good. One that is being sent may still arrive.")

    @OptionGroup var selection: OutboxSelection

    func validate() throws { try selection.validateMeant() }

    func run() async throws {
        let store = try selection.open()
        let entries = try await store.remove(selection.filter)
        OutboxFolder(store)?.remove(entries.map(\.id))
        Console.note("\(entries.count) \(entries.count == 1 ? "entry was" : "entries were") dropped.")
    }
}
#endif
