#if canImport(Darwin)
import Dispatch
import Foundation
import TarmacCore

/// Writes a request body to the stream that a session reads while it sends. ``BodyPump`` decides.
///
/// The session task owns the stream, ends it, and keeps it until the system's task is over. The stream reports
/// on the queue when it has room, so no thread waits.
// SAFETY: everything but `queue` and `failed` is touched on the queue alone.
final class BodyStream: NSObject, StreamDelegate, BodyFeed, @unchecked Sendable {
    private static let size = 128 << 10

    private let queue = DispatchQueue(label: "tarmac.urlsession.body")
    private let failed: @Sendable (any Error) -> Void
    private let source: any BodySource
    private let output: OutputStream
    private let buffer = UnsafeMutablePointer<UInt8>.allocate(capacity: size)
    private var pump: BodyPump

    /// Returns the stream for the session and the feed that writes to it. `nil` if Foundation makes no stream
    /// pair, which fails the task.
    static func open(
        _ source: any BodySource, length: Int64, failed: @escaping @Sendable (any Error) -> Void
    ) -> (InputStream, any BodyFeed)? {
        var input: InputStream?
        var output: OutputStream?
        Stream.getBoundStreams(withBufferSize: size, inputStream: &input, outputStream: &output)
        guard let input, let output else { return nil }
        let feed = BodyStream(source, output, length: length, failed: failed)
        feed.start()
        return (input, feed)
    }

    private init(_ source: any BodySource, _ output: OutputStream, length: Int64, failed: @escaping @Sendable (any Error) -> Void) {
        self.source = source
        self.output = output
        self.failed = failed
        pump = BodyPump(declared: length)
    }

    deinit {
        output.delegate = nil
        buffer.deallocate()
    }

    private func start() {
        queue.async { [self] in
            output.delegate = self
            CFWriteStreamSetDispatchQueue(output, queue)
            output.open()
        }
    }

    func stop() { queue.async { [self] in handle(.abandoned) } }

    func stream(_ stream: Stream, handle event: Stream.Event) {
        switch event {
        case .hasSpaceAvailable: handle(.room)
        case .errorOccurred, .endEncountered: handle(.abandoned)
        default: break
        }
    }

    private func handle(_ event: BodyPump.Event) {
        var action = pump.action(after: event)
        while let event = perform(action) { action = pump.action(after: event) }
    }

    /// Performs an action and returns its result.
    private func perform(_ action: BodyPump.Action) -> BodyPump.Event? {
        switch action {
        case .wait: return nil
        case .read:
            let room = UnsafeMutableRawBufferPointer(start: buffer, count: Self.size)
            do { return .read(try source.read(into: room)) } catch { return .unreadable(error) }
        case .write(let range):
            return .wrote(output.write(buffer + range.lowerBound, maxLength: range.count))
        case .close:
            leave()
            output.close()
            return nil
        case .stop(let error):
            error.map(failed)
            leave()
            return nil
        }
    }

    private func leave() {
        output.delegate = nil
        CFWriteStreamSetDispatchQueue(output, nil)
    }
}

extension SessionDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        let flight = flight(of: task)
        completionHandler(flight?.bodyStream { source, length in BodyStream.open(source, length: length) { [weak flight] in flight?.bodyFailed($0) } })
    }
}
#endif
