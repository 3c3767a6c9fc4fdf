#if SQLite
import TarmacCore

/// Room that is kept for the day the disk is full: opening the file needs some for its log, and so does removing what is in it.
extension DatabaseFile {
    /// In bytes. Opening takes 50 KiB, removing an entry of 50 MiB 200 KiB.
    static let reserveSize = 512 << 10
    /// The last room of a disk is not taken for it.
    private static let plenty: Int64 = 4 << 20
    /// 64 KiB that are no zeros, which some file systems keep in no room.
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

    /// Puts it by, unless that is done or there is too little to put any by.
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

    /// Whether there was any.
    func giveUpReserve() -> Bool {
        guard !FileDescriptor.isMissing(reserve) else { return false }
        FileDescriptor.removeFile(reserve)
        return FileDescriptor.isMissing(reserve)
    }
}
#endif
