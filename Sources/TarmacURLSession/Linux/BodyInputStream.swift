#if !canImport(Darwin)
import Foundation
import TarmacCore

/// A request body as Foundation reads it here: on the session's own thread.
///
/// Foundation's file source reads through DispatchIO and reaches a fifth of what this does; its data source copies twice.
final class BodyInputStream: InputStream {
    private let source: any BodySource
    private let failed: (any Error) -> Void
    // Touched by the session's thread alone.
    private var meter: BodyMeter
    private var status = Stream.Status.notOpen

    /// - Parameter failed: is told why the body cannot be sent; the transfer is over then.
    init(_ source: any BodySource, length: Int64?, failed: @escaping (any Error) -> Void) {
        self.source = source
        self.failed = failed
        meter = BodyMeter(declared: length)
        super.init(data: Data())
    }

    override var streamStatus: Stream.Status { status }
    override var hasBytesAvailable: Bool { status == .open }
    override func open() { status = .open }
    override func close() { status = .closed }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
        do {
            let count = try source.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: length))
            try meter.note(count)
            if count == 0 { status = .atEnd }
            return count
        } catch {
            status = .error
            failed(error)
            return -1
        }
    }
}
#endif
