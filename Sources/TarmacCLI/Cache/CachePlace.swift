#if Tools
import ArgumentParser
import Foundation
import Tarmac
@_spi(TarmacRooms) import TarmacCache
import TarmacSQLite

/// Which file is meant.
struct CachePlace: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("The cache's file. Default: the one of --cache -.", valueName: "file"))
    var store = CacheArgument.own

    /// The cache in the file, which must be there.
    func open() throws -> SQLiteCacheStore {
        guard FileManager.default.fileExists(atPath: store) else {
            throw TarmacError(
                .unreadableFile, "there is no file \"\(CacheReport.shown(store))\"", suggestion: "name the file the app or --cache keeps answers in")
        }
        try StoredFile.check(store)
        // Somebody else's file is not repaired.
        return try SQLiteCacheStore(inspecting: store)
    }

    /// The size of the file on the disk, in bytes.
    func size() throws -> Int64 {
        try ["", "-wal", "-reserve"].reduce(0) { sum, suffix in
            guard FileManager.default.fileExists(atPath: store + suffix) else { return sum }
            let size = try FileManager.default.attributesOfItem(atPath: store + suffix)[.size] as? NSNumber
            return sum + (size?.int64Value ?? 0)
        }
    }
}

/// Which entries are meant: those that fulfil every option that is given.
struct CacheSelectionArguments: ParsableArguments {
    @Option(name: .long, help: "Only those of exactly this URL.")
    var url: String?

    @Option(name: .long, help: "Only those whose URL begins so.")
    var prefix: String?

    @Option(name: .long, help: "Only those with a tag.")
    var tag: String?

    @Option(name: .long, help: "Only those of a service.")
    var service: String?

    @Option(name: .long, help: "Only those of a principal.")
    var principal: String?

    @Option(name: .long, help: "Only the one with this ID.")
    var id: String?

    var selection: CacheSelection {
        CacheSelection { selection in
            (selection.url, selection.urlPrefix, selection.tag) = (url.map(Self.whole), prefix.map(Self.begun), tag)
            (selection.service, selection.principal) = (service, principal)
            selection.id = id.flatMap { UInt64($0, radix: 16) }
        }
    }

    func validate() throws {
        if let id, UInt64(id, radix: 16) == nil { throw ValidationError("\"\(CacheReport.shown(id))\" is no ID, which list shows.") }
    }

    /// Entries by their URL or ID.
    static func named(_ text: String) -> CacheSelection {
        if text.utf8.count == 16, let id = UInt64(text, radix: 16) { return .entry(id) }
        return .url(whole(text))
    }

    /// A URL as it is stored: typed without a scheme it is what a call would make of it.
    private static func whole(_ text: String) -> String { (try? URLArgument.url(text).string) ?? text }

    /// The beginning of one; only this machine has a short form.
    private static func begun(_ text: String) -> String { text.hasPrefix(":") || text.hasPrefix("/") ? "http://localhost\(text)" : text }
}

/// `--cache`: where a command's answers are kept.
enum CacheArgument {
    static let help = ArgumentHelp(
        "Answer from this file what may be, and keep there what may be kept (RFC 9111); it is made when it is missing; - is a file of yours for this. What is sent with credentials or cookies stays out of it.",
        valueName: "file")

    /// The file of `--cache -`.
    static let own: String = {
        let environment = ProcessInfo.processInfo.environment
        let folder = environment["XDG_CACHE_HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? "\(NSHomeDirectory())/.cache"
        return "\(folder)/tarmac/answers.db"
    }()

    /// Arguments that exclude each other are refused before anything is sent.
    static func check(_ arguments: CallArguments) throws(TarmacError) {
        guard let path = arguments.cache else { return }
        if path.isEmpty { throw TarmacError(.invalidOption, "--cache names no file", suggestion: "write --cache FILE") }
        if arguments.output != nil {
            throw TarmacError(.invalidOption, "--output writes past the cache", suggestion: "leave --cache out, or send the output there with >")
        }
    }

    /// Opens the file or makes it. A damaged one is moved aside, and a note says so. A file that is no database is refused and not changed.
    /// So is a database without a cache, unless a person at a terminal says yes.
    static func store(
        _ path: String, confirmation: Confirmation = .terminal, note: @escaping @Sendable (String) -> Void
    ) throws(TarmacError) -> SQLiteCacheStore {
        let path = try place(path)
        try StoredFile.check(path, mayBeEmpty: true)
        try confirm(path, confirmation)
        func open() throws(TarmacError) -> SQLiteCacheStore {
            let database = try SQLiteDatabase(path: path, durability: .consistent, checksWhole: false) { event in
                if case .damaged(_, let place, _) = event { note("The cache was damaged; it lies at \(place) now, and a new one has taken its place.") }
            }
            return try SQLiteCacheStore(database)
        }
        // Damage that shows with the first look has the file moved aside the next time.
        do { return try open() } catch { return try open() }
    }

    /// Refuses the database of another program, or of another store of an app, unless a person wants the cache in it.
    private static func confirm(_ path: String, _ confirmation: Confirmation) throws(TarmacError) {
        guard SQLiteDatabase.isForeign(path) else { return }
        let file = "\"\(CacheReport.shown(path))\""
        if confirmation.confirms("\(file) is a database without a cache. Keep answers in it from now on?") { return }
        throw TarmacError(
            .storeFailed, "the file \(file) is a database without a cache, of another program or of another store",
            suggestion: "name another file, or none that exists; at a terminal you are asked")
    }

    private static func place(_ path: String) throws(TarmacError) -> String {
        guard path == "-" else { return path }
        let folder = URL(fileURLWithPath: own).deletingLastPathComponent().path
        do { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700]) } catch {
            throw TarmacError(.invalidOption, "the folder \(folder) cannot be made", suggestion: "name a file with --cache", cause: error)
        }
        return own
    }
}
#endif
