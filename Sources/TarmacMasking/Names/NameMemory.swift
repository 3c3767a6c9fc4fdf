/// The answers about names that were seen: a table of 512 names of up to 62 bytes, shared by the process. A name takes
/// the place of another one with the same hash.
///
/// A struct of pointers, so that a look-up counts no references. A thread that would have to wait judges the name again instead.
// SAFETY: the slots are read and written between `lock` and `unlock` alone, and the table is never freed.
struct NameMemory: @unchecked Sendable {
    private static let slots = 512, width = 64, longest = 62
    private let bytes: UnsafeMutableRawPointer
    private let lock: PlatformLock

    init() {
        bytes = .allocate(byteCount: Self.slots * Self.width, alignment: 64)
        bytes.initializeMemory(as: UInt8.self, repeating: 0, count: Self.slots * Self.width)
        lock = PlatformLock()
    }

    /// Returns the answer about a name, from the table if it is there.
    func verdict(_ name: UnsafeBufferPointer<UInt8>) -> NameVerdict {
        guard name.count > 0, name.count <= Self.longest, let start = name.baseAddress else { return NameJudge.verdict(name) }
        let slot = bytes + Int(truncatingIfNeeded: Self.hash(start, name.count) >> 55) * Self.width
        guard lock.tryLock() else { return NameJudge.verdict(name) }
        if slot.load(as: UInt8.self) == UInt8(name.count), Self.equals(slot + 2, start, name.count) {
            let verdict = slot.load(fromByteOffset: 1, as: UInt8.self)
            lock.unlock()
            return NameVerdict(rawValue: verdict)
        }
        lock.unlock()
        // A name that is harmless at a glance takes no place.
        guard WordTable.shared.mayBeSecret(name) else { return .harmless }
        let verdict = NameJudge.verdict(name)
        guard lock.tryLock() else { return verdict }
        slot.storeBytes(of: UInt8(name.count), as: UInt8.self)
        slot.storeBytes(of: verdict.rawValue, toByteOffset: 1, as: UInt8.self)
        (slot + 2).copyMemory(from: start, byteCount: name.count)
        lock.unlock()
        return verdict
    }

    @inline(__always)
    private static func hash(_ start: UnsafePointer<UInt8>, _ count: Int) -> UInt64 {
        let raw = UnsafeRawPointer(start)
        var hash = UInt64(count) &* 0x9E37_79B9_7F4A_7C15, place = 0
        while place + 8 <= count {
            hash = (hash ^ raw.loadUnaligned(fromByteOffset: place, as: UInt64.self)) &* 0xFF51_AFD7_ED55_8CCD
            hash ^= hash >> 32
            place += 8
        }
        if count >= 8 {
            hash = (hash ^ raw.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)) &* 0xFF51_AFD7_ED55_8CCD
        } else {
            while place < count {
                hash = (hash ^ UInt64(start[place])) &* 0x0000_0100_0000_01B3
                place += 1
            }
        }
        return (hash ^ hash >> 29) &* 0x9E37_79B9_7F4A_7C15
    }

    @inline(__always)
    private static func equals(_ stored: UnsafeMutableRawPointer, _ start: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        let raw = UnsafeRawPointer(start)
        var place = 0
        while place + 8 <= count {
            if stored.loadUnaligned(fromByteOffset: place, as: UInt64.self) != raw.loadUnaligned(fromByteOffset: place, as: UInt64.self) { return false }
            place += 8
        }
        if count >= 8 {
            return stored.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self) == raw.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
        }
        while place < count {
            if stored.load(fromByteOffset: place, as: UInt8.self) != start[place] { return false }
            place += 1
        }
        return true
    }
}
