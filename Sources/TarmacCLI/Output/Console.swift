#if Tools
import Foundation
import Tarmac

/// Standard output and error.
enum Console {
    static let terminal = Terminal(
        outputIsTerminal: Descriptor.output.isTerminal, errorIsTerminal: Descriptor.error.isTerminal,
        columns: Descriptor.error.columns, environment: ProcessInfo.processInfo.environment)

    /// Writes bytes as they are; throws when nobody reads any more.
    static func write(_ bytes: Bytes) throws {
        guard bytes.withUnsafeBytes({ Descriptor.output.write($0) }) else { throw BrokenPipe() }
    }

    static func line(_ text: String = "") throws { try write(Bytes(text + "\n")) }

    /// Text for people, beside the output.
    static func note(_ text: String) { mark(text + "\n") }

    /// The same without a line end.
    static func mark(_ text: String) { _ = Array(text.utf8).withUnsafeBytes { Descriptor.error.write($0) } }
}

/// Whoever read the output has stopped.
struct BrokenPipe: Error {}
#endif
