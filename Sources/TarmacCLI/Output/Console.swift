#if Tools
import Foundation
import Tarmac

/// Standard output and error.
enum Console {
    static let terminal = Terminal(
        outputIsTerminal: Descriptor.output.isTerminal, errorIsTerminal: Descriptor.error.isTerminal,
        columns: Descriptor.error.columns, environment: ProcessInfo.processInfo.environment)

    /// Writes bytes as they are; throws ``BrokenPipe`` when the reader has stopped, else `TarmacError(.unwritableFile)`.
    static func write(_ bytes: Bytes) throws {
        if let fault = bytes.withUnsafeBytes({ Descriptor.output.write($0) }) { throw failure(fault) }
    }

    /// The meaning of a failed write to standard output.
    static func failure(_ fault: WriteFault) -> any Error {
        if fault.isBrokenPipe { return BrokenPipe() }
        return TarmacError(
            .unwritableFile, phase: .delivering, "standard output cannot be written: \(fault.text)",
            suggestion: "look at where it goes: is the disk full, may it be written?")
    }

    static func line(_ text: String = "") throws { try write(Bytes(text + "\n")) }

    /// Text for people, beside the output.
    static func note(_ text: String) { mark(text + "\n") }

    /// The same without a line end.
    static func mark(_ text: String) { _ = Array(text.utf8).withUnsafeBytes { Descriptor.error.write($0) } }
}

/// The reader of the output has stopped.
struct BrokenPipe: Error {}
#endif
