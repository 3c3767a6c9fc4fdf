#if Tools
import ArgumentParser
import Foundation
import Tarmac
import TarmacOutbox
import TarmacSQLite

/// Which entries of which file are meant.
struct OutboxSelection: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("The app's database.", valueName: "file"))
    var db: String

    @Flag(name: .long, help: "Only dead letters.")
    var dead = false

    @Flag(name: .long, help: "All entries; what is not said otherwise is meant.")
    var all = false

    @Option(name: .long, help: "Only those of a lane.")
    var lane: String?

    @Option(name: .long, help: "Only those of a service.")
    var service: String?

    @Option(name: .long, help: "Only those of a principal.")
    var principal: String?

    @Argument(help: "Only those with one of these IDs.")
    var ids: [String] = []

    var filter: OutboxFilter {
        OutboxFilter(
            ids: ids.isEmpty ? nil : Set(ids.map(OutboxEntry.ID.init(rawValue:))), state: dead ? .dead : nil, lane: lane, service: service,
            principal: principal)
    }

    /// Only named entries are changed.
    func validateMeant() throws {
        let isNamed = dead || all || lane != nil || service != nil || principal != nil || !ids.isEmpty
        if !isNamed { throw ValidationError("Say which entries: IDs, --dead, --lane, --service, --principal, or --all.") }
    }

    /// The store in the file, which must be there.
    func open() throws -> SQLiteOutboxStore {
        guard FileManager.default.fileExists(atPath: db) else {
            throw TarmacError(.unreadableFile, "there is no file \"\(db)\"", suggestion: "name the database the app keeps its outbox in")
        }
        try StoredFile.check(db)
        // Somebody else's file is not repaired, and a large one is not read whole for a look.
        return try SQLiteOutboxStore(inspecting: db)
    }
}
#endif
