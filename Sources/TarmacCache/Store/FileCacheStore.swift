#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import TarmacJSON
@_spi(TarmacRooms) public import TarmacCore
import TarmacSupport

/// A durable cache store in a folder, for apps without a database. Each response has one file, which only its user may
/// read (mode 0600).
///
/// A file contains an entry and its body, each with a checksum. It receives its name only when it is complete. Opening
/// the store removes the incomplete files of a crash, and reading removes a damaged file. The store uses 100 to 250
/// bytes of memory for each file. Backups exclude the folder.
///
/// The time to open a store does not depend on the number of its files. A lookup reads the names of one 256th of them,
/// and a task of the store reads the rest. Until it has ended, the store removes no file to make room, and operations
/// on more than one URL wait for it.
///
/// When the store needs room, it removes the files that are unused for longest. When it stores a response, it also
/// removes the files unused for `maximumAge`. After a restart, the time of storing or of the last validation counts
/// as the last use. A folder is for one process at a time: two get no wrong response from it, but each knows and counts only
/// the files that it has found or written.
///
/// ```swift
/// let store = try FileCacheStore(folder: "\(caches)/answers", limit: 100 << 20)
/// let client = Client(transport: .urlSession, services: [.shop]) { $0.cacheStore = .store(store) }
/// ```
public final class FileCacheStore: CacheStore {
    /// The folder. The store makes it with mode 0700 if it is missing; its parent must exist.
    package let folder: String
    /// The maximum size of all files, in bytes.
    package let limit: Int64
    /// The time after which an unused response is removed. `nil` means never.
    package let maximumAge: Duration?
    private let files: FileCacheFolder
    private let state: Locked<FileCacheIndex>
    /// The task that reads the files which no operation has needed yet. `nil` if there was none at the opening.
    private let reading = Locked<Task<Void, Never>?>(nil)
    /// The large bodies whose checksum this process has compared.
    private let intact = Locked<Set<UInt64>>([])
    private static let mostIntact = 4_096
    /// A lookup returns bodies up to this size. Larger bodies are streamed.
    private static let inlineLimit: Int64 = 64 << 10

    /// Opens a store in a folder.
    ///
    /// - Parameters:
    ///   - folder: the path of the folder. It is created if it is missing, and the folder above it must exist.
    ///   - limit: the maximum size in bytes. Default: 100 MiB. No file may take more than a quarter of it.
    ///   - maximumAge: the time after which an unused response is removed. The store checks after it was opened, and
    ///     at most once an hour when it stores a response. Default: 30 days. `nil`: no response is removed because of its
    ///     age.
    /// - Throws: `TarmacError(.unwritableFile)` if the folder cannot be used, `TarmacError(.invalidOption)` if `limit` or
    ///   `maximumAge` is negative.
    public convenience init(folder: String, limit: Int64 = 100 << 20, maximumAge: Duration? = .seconds(30 * 86_400)) throws(TarmacError) {
        try self.init(folder: folder, limit: limit, maximumAge: maximumAge, backups: BackupExclusion())
    }

    /// - Parameter readsAll: whether a task reads all files. A test counts what is read without it.
    init(
        folder: String, limit: Int64, maximumAge: Duration? = nil, backups: BackupExclusion, readsAll: Bool = true,
        now: @escaping @Sendable () -> Date = { Date() }, list: @escaping @Sendable (String) -> [String]? = FileCacheFolder.names
    ) throws(TarmacError) {
        if limit < 0 { throw TarmacError(.invalidOption, "the limit of the cache's files is \(limit) bytes") }
        if let maximumAge, maximumAge < .zero { throw TarmacError(.invalidOption, "the maximum age of the cache's files is negative") }
        self.folder = folder
        self.limit = limit
        self.maximumAge = maximumAge
        guard let files = FileCacheFolder(folder, list: list) else {
            throw TarmacError(.unwritableFile, "the folder \"\(folder)\" of the cache cannot be made: \(FileDescriptor.lastError)")
        }
        self.files = files
        backups.apply(to: folder)
        state = Locked(FileCacheIndex(isComplete: files.isNew, now: now))
        if !files.isNew, readsAll { readAll() }
    }

    public var name: String { "files" }
    public var isDurable: Bool { true }

    // MARK: Finding

    /// Reads the files that may contain a URL, unless they are known. Returns whether they are.
    @discardableResult
    private func read(_ url: String) -> Bool { state.withLock { $0.isComplete } || read(FileSlot.place(of: url)) }

    @discardableResult
    private func read(_ place: UInt8) -> Bool {
        if state.withLock({ $0.knows(place) }) { return true }
        guard let found = files.files(in: place) else { return false }
        removeFiles(state.withLock { $0.add(found, of: place) })
        return true
    }

    /// Reads the files of all places, one place after another, and then makes room.
    func readAll() {
        // LIFETIME: ends when all files are known, or with the store.
        let task = Task.detached(priority: .utility) { [weak self] in
            for place in 0..<FileSlot.places {
                await Task.yield()
                guard let self else { return }
                read(UInt8(place))
            }
            guard let self else { return }
            guard state.withLock({ $0.isComplete }) else { return state.withLock { $0.noteInterruption() } }
            files.finishMove()
            removeFiles(state.withLock { $0.evict(limit: limit, maximumAge: maximumAge) })
        }
        reading.withLock { $0 = task }
    }

    /// Returns when all files are known, or when those that are not cannot be listed. Returns whether all are known.
    @discardableResult
    private func complete() async -> Bool {
        if state.withLock({ $0.takeInterruption() }) { readAll() }
        await reading.withLock { $0 }?.value
        return state.withLock { $0.isComplete }
    }

    // MARK: Reading

    public func lookup(_ key: CacheKey) async throws -> CacheLookup {
        read(key.url)
        var lookup = CacheLookup()
        for slot in state.withLock({ $0.slots(key) }) {
            switch read(slot, inlineLimit: Self.inlineLimit) {
            case .entry(let file) where file.entry.key == key: lookup.records.append(CacheRecord(file.entry, body: file.body))
            // A file that cannot be opened now, for lack of descriptors or while the device is locked, stays.
            case .entry, .unreadable: break
            case .missing: forget([slot])
            case .corrupt:
                lookup.wasCorrupt = true
                discard(slot)
            }
        }
        return lookup
    }

    public func touch(_ entry: CacheEntry) { state.withLock { $0.touch(entry.id) } }

    public func body(of entry: CacheEntry) async throws -> ResponseBody? {
        read(entry.key.url)
        guard let slot = state.withLock({ $0.use(entry.id) }) else { return nil }
        switch read(slot, inlineLimit: Self.inlineLimit) {
        case .unreadable: return nil
        case .missing:
            forget([slot])
            return nil
        case .corrupt:
            discard(slot)
            return nil
        case .entry(let file):
            if let body = file.body { return .bytes(body) }
            let path = path(slot), footer = file.footer, onDamage: @Sendable () -> Void = { [weak self] in self?.discard(slot) }
            if !intact.withLock({ $0.contains(slot.id) }) {
                guard FileBodySource.isIntact(path, footer, onDamage: onDamage) else { return nil }
                intact.withLock { ids in
                    if ids.count >= Self.mostIntact { ids.removeAll() }
                    ids.insert(slot.id)
                }
            }
            guard let source = FileBodySource(path, footer, onDamage: onDamage) else { return nil }
            return .stream(ByteStream { source })
        }
    }

    private func read(_ slot: FileSlot, inlineLimit: Int64) -> CacheFile.Outcome {
        CacheFile.read(path(slot), id: slot.id, inlineLimit: inlineLimit)
    }

    private func path(_ slot: FileSlot) -> String { files.path(slot) }

    // MARK: Writing

    public func makeWriter(for entry: CacheEntry) async throws -> (any CacheWriter)? { try makeWriter(for: entry, updates: false) }

    /// - Parameter updates: whether the entry replaces itself. It is then not published after a removal.
    func makeWriter(for entry: CacheEntry, updates: Bool) throws(TarmacError) -> FileCacheWriter? {
        guard entry.bodyLength <= limit / 4 else { return nil }
        let (partial, descriptor) = files.makePart()
        guard descriptor >= 0 else {
            let error = Self.unwritable(folder)
            // Reported once, until a write succeeds again.
            if state.withLock({ $0.noteFailure() }) { throw error }
            return nil
        }
        return FileCacheWriter(self, descriptor, partial, limit: limit / 4, updates: updates)
    }

    /// Counts bytes of a file that is being written, and makes room for them. Returns `false` if there is none.
    func reserve(_ count: Int64) -> Bool {
        let gone = state.withLock { $0.reserve(count, limit: limit) ? $0.evict(limit: limit, maximumAge: nil) : nil }
        removeFiles(gone ?? [])
        return gone != nil
    }

    func release(_ count: Int64) { state.withLock { $0.release(count) } }

    /// Renames a complete file to its final name. Returns `false` if the entry that it updates was removed meanwhile.
    func publish(_ partial: String, size: Int64, _ entry: CacheEntry, updates: Bool) throws(TarmacError) -> Bool {
        let slot = FileSlot(entry, size: size)
        // In a place that is not known, an older file could later replace this one.
        guard read(slot.place), files.publish(partial, as: slot) else { throw failed() }
        let gone = state.withLock { state -> [FileSlot]? in
            if updates, state.slot(slot.id) == nil { return nil }
            state.noteSuccess()
            return state.insert(slot) + state.evict(limit: limit, maximumAge: maximumAge)
        }
        removeFiles(gone ?? [slot])
        if state.withLock({ $0.takeInterruption() }) { readAll() }
        return gone != nil
    }

    /// Returns the error the first time. Later errors say nothing new.
    func failed() -> TarmacError {
        let error = Self.unwritable(folder)
        return state.withLock({ $0.noteFailure() }) ? error : TarmacError(.bodyTooLarge, phase: .receiving, "not stored")
    }

    @discardableResult
    public func update(_ entry: CacheEntry) async throws -> Bool {
        guard read(entry.key.url) else { throw Self.unreadable(folder) }
        guard let slot = state.withLock({ $0.slot(entry.id) }) else { return false }
        let outcome = read(slot, inlineLimit: Self.inlineLimit)
        if case .unreadable = outcome { throw Self.unreadable(folder) }
        guard case .entry(let old) = outcome, old.entry.key == entry.key, old.entry.variant.isExactly(entry.variant) else { return false }
        var entry = entry
        entry.bodyLength = old.entry.bodyLength
        if let body = old.body { return try rewrite(entry, body) }
        // A file that has grown by many updates is written again.
        guard old.footer.size - old.footer.bodyLength < 64 << 10 else {
            forget([slot])
            return false
        }
        guard let size = CacheFile.append(entry, to: path(slot), old.footer) else { throw failed() }
        return state.withLock { $0.resize(slot.id, to: size) }
    }

    /// Writes an entry again with its body, unless it is removed meanwhile.
    private func rewrite(_ entry: CacheEntry, _ body: Bytes) throws(TarmacError) -> Bool {
        guard let writer = try makeWriter(for: entry, updates: true) else { return false }
        if !body.isEmpty { try writer.write(body) }
        return try writer.finish(entry)
    }

    /// - Throws: `TarmacError` if a matching file cannot be removed, or if a file cannot be read to decide whether it
    ///   matches. The others are removed.
    @discardableResult
    public func remove(_ selection: CacheSelection) async throws -> Int {
        // An entry that could not be read or removed would be back later.
        var fault = await prepare(selection) ? nil : Self.unreadable(folder)
        let slots = state.withLock { $0.candidates(selection) }.filter { slot in
            if selection.isIndexed { return true }
            switch read(slot, inlineLimit: 0) {
            case .entry(let file): return selection.contains(file.entry)
            case .unreadable: fault = fault ?? Self.unreadable(folder)
            case .missing, .corrupt: break
            }
            return false
        }
        let gone = slots.filter { slot in
            if FileDescriptor.unlinkFile(path(slot)) { return true }
            fault = fault ?? Self.unwritable(folder)
            return false
        }
        let removed = state.withLock { state in gone.filter { state.remove($0.id) != nil } }
        // An update under way may have written the file again before the index knew of its removal.
        removeFiles(removed)
        if let fault { throw fault }
        return removed.count
    }

    /// Reads the files that a selection may contain. Returns whether they are known.
    private func prepare(_ selection: CacheSelection) async -> Bool {
        if let id = selection.id, state.withLock({ $0.slot(id) }) != nil { return true }
        guard selection.id == nil, let url = selection.key?.url ?? selection.url else { return await complete() }
        return read(url)
    }

    private func forget(_ slots: [FileSlot]) {
        removeFiles(state.withLock { state in slots.compactMap { state.remove($0.id) } })
    }

    private func discard(_ slot: FileSlot) {
        state.withLock { $0.noteCorruption() }
        forget([slot])
    }

    /// Removes files. Their readers continue, because a file exists until it is closed.
    private func removeFiles(_ slots: [FileSlot]) {
        for slot in slots { FileDescriptor.removeFile(path(slot)) }
    }

    // MARK: Tools

    public func list(_ selection: CacheSelection, after id: UInt64?, limit: Int) async throws -> [CacheEntry] {
        _ = await prepare(selection)
        var entries: [CacheEntry] = []
        let slots = state.withLock { $0.candidates(selection) }.ordered { $0.id < $1.id }
        for slot in slots.drop(while: { slot in id.map { slot.id <= $0 } ?? false }) {
            if entries.count >= limit { break }
            if case .entry(let file) = read(slot, inlineLimit: 0), selection.contains(file.entry) { entries.append(file.entry) }
        }
        return entries
    }

    public func statistics() async throws -> CacheStatistics {
        await complete()
        var statistics = state.withLock { $0.statistics }
        statistics.limit = limit
        return statistics
    }

    public func takeNotices() -> [CacheNotice] { state.withLock { $0.takeNotices() } }

    public func flush() async throws { files.synchronize(state.withLock { $0.changed }) }

    private static func unwritable(_ folder: String) -> TarmacError {
        TarmacError(.unwritableFile, phase: .receiving, "the folder \"\(folder)\" cannot be written: \(FileDescriptor.lastError)")
    }

    private static func unreadable(_ folder: String) -> TarmacError {
        TarmacError(.storeFailed, phase: .waiting, "the folder \"\(folder)\" has files that cannot be read now")
    }
}
