#if !canImport(Darwin)
import Foundation
import TarmacCore

/// A request body that Foundation reads on the thread of the session.
///
/// Foundation's own source for files reads through DispatchIO and reaches a fifth of this speed. Its source for
/// data copies twice.
final class BodyInputStream: InputStream {
    private let source: any BodySource
    private let failed: (any Error) -> Void
    // Only the thread of the session uses these fields.
    private var meter: BodyMeter
    private var status = Stream.Status.notOpen

    /// - Parameter failed: a closure that receives the reason why the body cannot be sent. The transfer is over
    ///   then.
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
