#if Tools
// The only file of the command line that names the C library.
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif
import Tarmac

/// Standard input, output and error, by descriptor: nothing is buffered, so nothing is lost on exit.
enum Descriptor: Int32 {
    case input = 0
    case output = 1
    case error = 2

    var isTerminal: Bool { isatty(rawValue) == 1 }

    /// The columns of the terminal; 80 when it does not say.
    var columns: Int {
        var size = winsize()
        guard ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Writes all of it; says why when it cannot.
    func write(_ bytes: UnsafeRawBufferPointer) -> WriteFault? { Self.write(bytes, to: rawValue) }

    fileprivate static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> WriteFault? {
        var rest = bytes
        while let base = rest.baseAddress, !rest.isEmpty {
            let count = writeOnce(base, rest.count, to: descriptor)
            if count < 0 { return WriteFault(number: errno) }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        return nil
    }

    private static func writeOnce(_ base: UnsafeRawPointer, _ count: Int, to descriptor: Int32) -> Int {
        while true {
            #if canImport(Darwin)
            let written = Darwin.write(descriptor, base, count)
            #elseif canImport(Musl)
            let written = Musl.write(descriptor, base, count)
            #else
            let written = Glibc.write(descriptor, base, count)
            #endif
            if written >= 0 || errno != EINTR && errno != EAGAIN { return written }
        }
    }

    /// The next bytes, 64 KiB at most; none at the end, `nil` when reading fails. Blocks.
    func readSome() -> [UInt8]? {
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, used in
            repeat { count = read(rawValue, buffer.baseAddress, buffer.count) } while count < 0 && errno == EINTR
            used = max(0, count)
        }
        return count < 0 ? nil : bytes
    }
}

/// Why a write failed.
struct WriteFault: Equatable {
    /// As `errno` has it.
    let number: Int32

    var isBrokenPipe: Bool { number == EPIPE }
    var text: String { String(cString: strerror(number)) }
}

/// A file that only its user may read.
enum PrivateFile {
    /// Writes a file (mode 0600) in place of the one that was there: whole or not at all. Says why when it cannot.
    static func write(_ bytes: Bytes, to path: String) -> WriteFault? {
        let part = "\(path).\(UInt32.random(in: .min ... .max)).part"
        let descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return WriteFault(number: errno) }
        var fault = bytes.withUnsafeBytes { Descriptor.write($0, to: descriptor) }
        if close(descriptor) != 0, fault == nil { fault = WriteFault(number: errno) }
        if fault == nil, rename(part, path) != 0 { fault = WriteFault(number: errno) }
        if fault != nil { unlink(part) }
        return fault
    }
}

enum Process {
    /// Ends the program at once.
    static func leave(_ status: Int32) -> Never { exit(status) }

    /// Lets a closed pipe be an error of the write instead of the program's end, and interrupts come in as events.
    static func prepareSignals() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGINT, SIG_IGN)
    }

    static let interrupt = SIGINT
}
#endif
