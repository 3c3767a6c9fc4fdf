#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import TarmacCore
import TarmacDigest

/// The index of a file store: the properties of its files that are known without reading them.
struct FileCacheIndex {
    private var slots: [UInt64: FileSlot] = [:]
    /// The latest file of each URL, with any key and variant. Each names the previous one. A set for each URL would
    /// need more memory than the slot of the file.
    private var urls: [UInt64: UInt64] = [:]
    private var bytes: Int64 = 0
    /// The bytes of the files that are being written and are not in the index yet.
    private var writing: Int64 = 0
    private var clock: UInt64 = 0
    private var evictions = 0
    private var corruptions = 0
    private var notices: [CacheNotice] = []
    private var isFailing = false
    private var isInterrupted = false
    /// The time of the last check of ages, in seconds since 1970.
    private var lastSweep: UInt32 = 0
    private let now: @Sendable () -> Date
    private static let maximumNotices = 16
    /// The interval of the checks of ages, an hour, because a check visits all files.
    private static let sweepInterval: UInt32 = 3600

    /// Whether each place has been read.
    private var known: [Bool]
    private var unread: Int
    /// The time of the opening, in microseconds since 1970.
    private let opened: UInt64
    /// The place that changed last. `nil` if none has changed.
    private(set) var changed: UInt8?

    /// - Parameter isComplete: whether there are no files yet.
    init(isComplete: Bool = true, now: @escaping @Sendable () -> Date = { Date() }) {
        self.now = now
        known = isComplete ? [] : [Bool](repeating: false, count: FileSlot.places)
        unread = known.count
        opened = Self.microseconds(now().timeIntervalSince1970)
        clock = opened
    }

    /// Whether the files of all places are known.
    var isComplete: Bool { unread == 0 }

    /// Whether the files of a place are known.
    func knows(_ place: UInt8) -> Bool { isComplete || known[Int(place)] }

    /// Adds the files of a place, the oldest first. Returns those to remove: files that were replaced.
    ///
    /// A place changes only after it has been read. A second result that was read at the same time is therefore ignored.
    mutating func add(_ files: [FileCacheFolder.File], of place: UInt8) -> [FileSlot] {
        if knows(place) { return [] }
        known[Int(place)] = true
        unread -= 1
        let changed = changed
        defer { self.changed = changed }
        return files.flatMap { file in
            let replaced = insert(file.slot)
            // A use in this process is later than all earlier ones.
            slots[file.slot.id]?.lastUse = min(Self.microseconds(file.modified), opened)
            slots[file.slot.id]?.usedAt = Self.seconds(file.modified)
            return replaced
        }
    }

    /// A file system may report any time, including one that `Int64` cannot express.
    private static func seconds(_ seconds: Double) -> UInt32 { UInt32(max(0, min(seconds, Double(UInt32.max)))) }

    private static func microseconds(_ seconds: Double) -> UInt64 { UInt64(max(0, min(seconds, 1e12)) * 1e6) }

    var statistics: CacheStatistics {
        var statistics = CacheStatistics()
        statistics.entries = slots.count
        statistics.bytes = bytes
        statistics.evictions = evictions
        statistics.corruptions = corruptions
        return statistics
    }

    // MARK: Finding

    func slot(_ id: UInt64) -> FileSlot? { slots[id] }

    func slots(_ key: CacheKey) -> [FileSlot] {
        let url = FileSlot.hash(key.url)
        guard urls[url] != nil else { return [] }
        let hash = FileSlot.hash(key.text)
        return row(url).filter { $0.key == hash }
    }

    /// Returns the files that may match, without a search if one condition names them.
    func candidates(_ selection: CacheSelection) -> [FileSlot] {
        if let id = selection.id { return slots[id].map { [$0] } ?? [] }
        if let key = selection.key { return slots(key) }
        if let url = selection.url { return row(FileSlot.hash(url)) }
        return Array(slots.values)
    }

    /// Returns the files of one URL.
    private func row(_ url: UInt64) -> [FileSlot] {
        var row: [FileSlot] = []
        var next = urls[url]
        while let id = next, let slot = slots[id] {
            row.append(slot)
            next = slot.previous
        }
        return row
    }

    mutating func touch(_ id: UInt64) {
        clock += 1
        let seconds = seconds
        slots[id]?.lastUse = clock
        slots[id]?.usedAt = seconds
    }

    mutating func use(_ id: UInt64) -> FileSlot? {
        touch(id)
        return slots[id]
    }

    // MARK: Changing

    /// Adds a file. Returns the files that it replaces.
    mutating func insert(_ slot: FileSlot) -> [FileSlot] {
        let variants = row(slot.url).filter { $0.key == slot.key && $0.id != slot.id }
        var replaced = variants.filter { $0.variant == slot.variant }
        if replaced.isEmpty, variants.count >= CacheKey.maximumVariants, let oldest = variants.min(by: { $0.lastUse < $1.lastUse }) {
            replaced = [oldest]
        }
        for old in replaced { _ = remove(old.id) }
        // The same entry, written again under its name.
        _ = remove(slot.id)
        changed = slot.place
        var slot = slot
        slot.previous = urls.updateValue(slot.id, forKey: slot.url)
        slots[slot.id] = slot
        bytes += slot.size
        touch(slot.id)
        return replaced
    }

    mutating func remove(_ id: UInt64) -> FileSlot? {
        guard let slot = slots.removeValue(forKey: id) else { return nil }
        changed = slot.place
        bytes -= slot.size
        if urls[slot.url] == id {
            urls[slot.url] = slot.previous
        } else if let newer = newer(than: slot) {
            slots[newer]?.previous = slot.previous
        }
        return slot
    }

    private func newer(than slot: FileSlot) -> UInt64? {
        var next = urls[slot.url]
        while let id = next, let other = slots[id] {
            if other.previous == slot.id { return id }
            next = other.previous
        }
        return nil
    }

    mutating func resize(_ id: UInt64, to size: Int64) -> Bool {
        guard let old = slots[id]?.size else { return false }
        slots[id]?.size = size
        bytes += size - old
        return true
    }

    private var seconds: UInt32 { Self.seconds(now().timeIntervalSince1970) }

    /// Counts bytes of a file that is being written. Returns `false` if such files alone would exceed the limit.
    mutating func reserve(_ count: Int64, limit: Int64) -> Bool {
        guard writing + count <= limit else { return false }
        writing += count
        return true
    }

    /// Ends the count of a file that was written or given up.
    mutating func release(_ count: Int64) { writing -= count }

    /// Removes the files that were unused for too long, and, if room is needed, those unused for longest. Removes none
    /// while some files are not known.
    mutating func evict(limit: Int64, maximumAge: Duration?) -> [FileSlot] {
        guard isComplete else { return [] }
        var gone = maximumAge.map { removeUnused(for: UInt32(clamping: Int64($0.withinACentury.seconds))) } ?? []
        defer { evictions += gone.count }
        guard bytes + writing > limit else { return gone }
        for slot in slots.values.sorted(by: { $0.lastUse < $1.lastUse }) where bytes + writing > limit / 10 * 9 {
            if let slot = remove(slot.id) { gone.append(slot) }
        }
        return gone
    }

    private mutating func removeUnused(for age: UInt32) -> [FileSlot] {
        let seconds = seconds
        // After the clock was set back, no file is removed early.
        guard seconds >= lastSweep, seconds - lastSweep >= min(Self.sweepInterval, age) else {
            lastSweep = min(lastSweep, seconds)
            return []
        }
        lastSweep = seconds
        return slots.values.filter { seconds >= $0.usedAt && seconds - $0.usedAt > age }.compactMap { remove($0.id) }
    }

    // MARK: Reporting

    /// Whether it is the first failure since the last successful write.
    mutating func noteFailure() -> Bool {
        defer { isFailing = true }
        return !isFailing
    }

    mutating func noteSuccess() { isFailing = false }

    /// Whether the task that reads all files has ended before it knew them. The caller then starts it again.
    mutating func takeInterruption() -> Bool {
        defer { isInterrupted = false }
        return isInterrupted
    }

    /// Notes that the task that reads all files could not list some of them.
    mutating func noteInterruption() { isInterrupted = true }

    mutating func noteCorruption() {
        corruptions += 1
        if notices.count < Self.maximumNotices { notices.append(CacheNotice(.corrupt, "a file of the cache was damaged, and is removed")) }
    }

    mutating func takeNotices() -> [CacheNotice] {
        if notices.isEmpty { return [] }
        defer { notices = [] }
        return notices
    }
}

/// A file, whose name contains the hashes of its key.
struct FileSlot: Sendable {
    let url: UInt64
    let key: UInt64
    let variant: UInt64
    let id: UInt64
    var size: Int64
    var lastUse: UInt64 = 0
    /// The previous file of the same URL.
    var previous: UInt64?
    /// The time of the last use, in seconds since 1970. Placed here, where it needs no additional memory.
    var usedAt: UInt32 = 0
    private static let suffix = ".answer"
    /// No file of a store is larger, 1 TiB.
    private static let largest: Int64 = 1 << 40
    /// The number of places.
    static let places = 256
    /// The number of the folder that contains the file.
    var place: UInt8 { Self.place(url) }

    static func place(of url: String) -> UInt8 { place(hash(url)) }
    private static func place(_ hash: UInt64) -> UInt8 { UInt8(hash >> 56) }

    init(_ entry: CacheEntry, size: Int64) {
        url = Self.hash(entry.key.url)
        key = Self.hash(entry.key.text)
        variant = Self.hash(entry.variant)
        id = entry.id
        self.size = size
    }

    init?(name: String, size: Int64) {
        guard name.hasSuffix(Self.suffix) else { return nil }
        var parts: [UInt64] = [], part: UInt64?
        parts.reserveCapacity(4)
        for byte in name.utf8.dropLast(Self.suffix.utf8.count) {
            if let digit = Self.digit(byte) {
                guard part ?? 0 <= .max >> 4 else { return nil }
                part = (part ?? 0) << 4 | digit
            } else {
                guard byte == UInt8(ascii: "-"), let number = part else { return nil }
                parts.append(number)
                part = nil
            }
        }
        guard parts.count == 3, let id = part else { return nil }
        (url, key, variant) = (parts[0], parts[1], parts[2])
        self.id = id
        // A sparse file may have any size, and the sum of all sizes must not overflow.
        self.size = min(size, Self.largest)
    }

    private static func digit(_ byte: UInt8) -> UInt64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
        default: nil
        }
    }

    var name: String { [url, key, variant, id].map { String($0, radix: 16) }.joined(separator: "-") + Self.suffix }

    /// The same in every process. The entries distinguish files with equal hashes.
    static func hash(_ text: String) -> UInt64 {
        PublicHash.hash(Array(text.utf8)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension CacheSelection {
    /// Whether the name of a file is sufficient to decide about it.
    var isIndexed: Bool { self == CacheSelection { $0.id = id } || self == .all }
}
