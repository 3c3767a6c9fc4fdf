#if SQLite
import Tarmac

/// Room that is kept for the day the disk is full: opening the file needs some for its log, and so does removing what is in it.
extension DatabaseFile {
    /// In bytes. Opening takes 50 KiB, removing an entry of 50 MiB 200 KiB.
    static let reserveSize = 512 << 10
    /// The last room of a disk is not taken for it.
    private static let plenty: Int64 = 4 << 20
    private var reserve: String { path + "-reserve" }

    /// Puts it by, unless that is done or there is too little to put any by.
    func keepReserve() {
        if FileDescriptor.status(reserve)?.size == Int64(Self.reserveSize) { return }
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        guard FileDescriptor.availableSpace(in: folder) ?? .max >= Self.plenty else { return }
        let descriptor = FileDescriptor.openForWriting(reserve)
        guard descriptor >= 0 else { return }
        defer { FileDescriptor.closeFile(descriptor) }
        // Not zeros, which some file systems keep in no room.
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        let noise = (0..<Self.reserveSize / 8).map { _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
        let written = noise.withUnsafeBytes { FileDescriptor.write(descriptor, from: $0, at: 0) }
        if written != Self.reserveSize { FileDescriptor.removeFile(reserve) }
    }

    /// Whether there was any.
    func giveUpReserve() -> Bool {
        guard !FileDescriptor.isMissing(reserve) else { return false }
        FileDescriptor.removeFile(reserve)
        return FileDescriptor.isMissing(reserve)
    }
}
#endif
