#if Tools
// The only file of the command line that names the C library.
#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

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
    func write(_ bytes: UnsafeRawBufferPointer) -> WriteFault? {
        var rest = bytes
        while let base = rest.baseAddress, !rest.isEmpty {
            let count = writeOnce(base, rest.count)
            if count < 0 { return WriteFault(number: errno) }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
        return nil
    }

    private func writeOnce(_ base: UnsafeRawPointer, _ count: Int) -> Int {
        while true {
            #if canImport(Darwin)
            let written = Darwin.write(rawValue, base, count)
            #elseif canImport(Musl)
            let written = Musl.write(rawValue, base, count)
            #else
            let written = Glibc.write(rawValue, base, count)
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
