#if SQLite
import TarmacCore
import TarmacSupport

/// Space reserved for a full disk: opening the file needs some for its log, and so does removing entries.
extension DatabaseFile {
    /// The size of the reserve in bytes. Opening takes 50 KiB, and removing an entry of 50 MiB takes 200 KiB.
    static let reserveSize = 512 << 10
    /// The free space below which no reserve is created.
    private static let plenty: Int64 = 4 << 20
    /// 64 KiB without zeros, because some file systems store zeros without taking space.
    private static let noise: [UInt64] = {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        return (0..<8192).map { _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
    }()
    private var reserve: String { path + "-reserve" }

    /// Creates the reserve, unless it exists or there is too little free space.
    func keepReserve() {
        if FileDescriptor.status(reserve)?.size == Int64(Self.reserveSize) { return }
        guard FileDescriptor.availableSpace(in: folder) ?? .max >= Self.plenty else { return }
        let descriptor = FileDescriptor.openForWriting(reserve)
        guard descriptor >= 0 else { return }
        defer { FileDescriptor.closeFile(descriptor) }
        for offset in stride(from: 0, to: Self.reserveSize, by: Self.noise.count * 8) {
            let size = Self.noise.withUnsafeBytes { FileDescriptor.write(descriptor, from: $0, at: Int64(offset)) }
            if size != Self.noise.count * 8 { return FileDescriptor.removeFile(reserve) }
        }
    }

    /// Removes the reserve; returns whether there was one.
    func giveUpReserve() -> Bool {
        guard !FileDescriptor.isMissing(reserve) else { return false }
        FileDescriptor.removeFile(reserve)
        return FileDescriptor.isMissing(reserve)
    }
}
#endif
