@_spi(TarmacRooms) import TarmacCore

/// The next content of a private file, in a file beside it (`.part-0`) that its writer has locked.
///
/// A draft that a process left when it ended has no lock: the next writer takes it, and a removal of the file removes it.
struct PrivateDraft {
    let path: String
    let descriptor: Int32
    /// The largest number of writers at a time with a draft of a known name.
    private static let most = 16

    /// Takes a draft that no writer has, empty. `nil` if it cannot be created.
    init?(of file: String) {
        for number in 0..<Self.most {
            guard let descriptor = Self.taken(Self.path(of: file, number)) else { continue }
            guard FileDescriptor.truncate(descriptor, to: 0) else {
                FileDescriptor.closeFile(descriptor)
                break
            }
            (path, self.descriptor) = (Self.path(of: file, number), descriptor)
            return
        }
        // More writers at a time, or a file system without locks.
        path = "\(file).part-\(UInt64.random(in: .min ... .max))"
        descriptor = FileDescriptor.create(path)
        if descriptor < 0 { return nil }
    }

    /// Removes the drafts that no writer has.
    static func sweep(_ file: String) {
        for number in 0..<most {
            let path = path(of: file, number)
            guard !FileDescriptor.isMissing(path), let descriptor = taken(path) else { continue }
            FileDescriptor.removeFile(path)
            FileDescriptor.closeFile(descriptor)
        }
    }

    private static func path(of file: String, _ number: Int) -> String { "\(file).part-\(number)" }

    /// Opens a draft and locks it. `nil` if another writer has it, or it is no private file.
    private static func taken(_ path: String) -> Int32? {
        let descriptor = FileDescriptor.openForResuming(path)
        guard descriptor >= 0 else { return nil }
        // Until it was locked, another writer may have given it the file's name.
        if FileDescriptor.size(descriptor) != nil, FileDescriptor.isPrivate(descriptor), FileDescriptor.lock(descriptor),
            FileDescriptor.isFile(descriptor, at: path)
        {
            return descriptor
        }
        FileDescriptor.closeFile(descriptor)
        return nil
    }
}
