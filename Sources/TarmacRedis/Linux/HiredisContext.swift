#if Redis && canImport(Glibc)
import CHiredis
import TarmacCore

/// A connection of hiredis that never blocks. One thread uses it.
final class HiredisContext {
    /// The end of a connection, with a reason that is safe to log.
    struct Failure: Error {
        let reason: String
    }

    /// A reply, or the first word of an error that the server replied with.
    enum Reply {
        case value(RedisValue)
        case refused(String)
    }

    private let context: UnsafeMutablePointer<redisContext>
    private let functions: UnsafeMutablePointer<redisReplyObjectFunctions>
    /// Whether bytes wait to be written, or the connection is being made.
    private(set) var isWriting = true
    /// The largest reply in bytes, and the most values in an array of one.
    private static let maximumReply = 64 << 20
    private static let maximumElements = 1 << 20

    /// Begins to connect. The name of the host is looked up first, which blocks the thread.
    init(host: String, port: Int) throws(Failure) {
        guard let context = redisConnectNonBlock(host, Int32(clamping: port)) else { throw Failure(reason: "has no memory for a connection") }
        if context.pointee.err != 0 {
            let reason = Self.reason(context)
            redisFree(context)
            throw Failure(reason: reason)
        }
        self.context = context
        functions = .allocate(capacity: 1)
        functions.initialize(to: Self.standard)
        // A length that is garbage would ask for all memory.
        functions.pointee.createArray = { task, count in
            count < 0 || count > HiredisContext.maximumElements ? nil : HiredisContext.standard.createArray(task, count)
        }
        context.pointee.reader.pointee.fn = functions
    }

    /// The functions that make the replies of hiredis.
    private static let standard: redisReplyObjectFunctions = {
        guard let reader = redisReaderCreate() else { return redisReplyObjectFunctions() }
        defer { redisReaderFree(reader) }
        return reader.pointee.fn.pointee
    }()

    var descriptor: Int32 { Int32(context.pointee.fd) }

    // MARK: Writing

    /// Adds a command to what is written next.
    func append(_ command: [Bytes]) throws(Failure) {
        // The addresses of the arguments are needed together.
        let arguments = command.map(\.pinned)
        let lengths = arguments.map(\.count)
        var pointers: [UnsafePointer<CChar>?] = []
        let status = Self.withPointers(arguments[...], &pointers) {
            redisAppendCommandArgv(context, Int32(clamping: lengths.count), &$0, lengths)
        }
        guard status == REDIS_OK else { throw Failure(reason: Self.reason(context)) }
        isWriting = true
    }

    private static func withPointers(
        _ arguments: ArraySlice<Bytes>, _ pointers: inout [UnsafePointer<CChar>?], _ body: (inout [UnsafePointer<CChar>?]) -> Int32
    ) -> Int32 {
        guard let first = arguments.first else { return body(&pointers) }
        return first.withUnsafeBytes { bytes in
            pointers.append(bytes.assumingMemoryBound(to: CChar.self).baseAddress ?? UnsafePointer(bitPattern: 1))
            return withPointers(arguments.dropFirst(), &pointers, body)
        }
    }

    /// Writes what the socket takes now.
    func write() throws(Failure) {
        var isDone: Int32 = 0
        guard redisBufferWrite(context, &isDone) == REDIS_OK else { throw Failure(reason: Self.reason(context)) }
        isWriting = isDone == 0
    }

    // MARK: Reading

    /// Reads what has arrived.
    func read() throws(Failure) {
        guard redisBufferRead(context) == REDIS_OK else { throw Failure(reason: Self.reason(context)) }
        guard let reader = context.pointee.reader, reader.pointee.len - reader.pointee.pos <= Self.maximumReply else {
            throw Failure(reason: "sends a reply of more than \(Self.maximumReply >> 20) MiB")
        }
    }

    /// Returns the next complete reply of what was read.
    func nextReply() throws(Failure) -> Reply? {
        var reply: UnsafeMutableRawPointer?
        guard redisGetReplyFromReader(context, &reply) == REDIS_OK else { throw Failure(reason: "answers what is no reply") }
        guard let reply else { return nil }
        defer { freeReplyObject(reply) }
        return Self.reply(reply.assumingMemoryBound(to: redisReply.self))
    }

    private static func reply(_ reply: UnsafePointer<redisReply>) -> Reply {
        if reply.pointee.type == REDIS_REPLY_ERROR { return .refused(code(of: reply)) }
        return .value(value(reply))
    }

    /// Arrays within arrays are at most seven deep, which the reader checks.
    private static func value(_ reply: UnsafePointer<redisReply>) -> RedisValue {
        switch reply.pointee.type {
        case REDIS_REPLY_INTEGER: .integer(reply.pointee.integer)
        case REDIS_REPLY_STRING, REDIS_REPLY_STATUS: .bytes(Bytes([UInt8](UnsafeRawBufferPointer(start: reply.pointee.str, count: Int(reply.pointee.len)))))
        case REDIS_REPLY_ARRAY:
            .array((0..<Int(reply.pointee.elements)).map { index in reply.pointee.element[index].map { value($0) } ?? .null })
        default: .null
        }
    }

    /// The first word of an error, such as `WRONGPASS`. The rest can quote the arguments of the command, which may be secret.
    private static func code(of reply: UnsafePointer<redisReply>) -> String {
        let text = UnsafeRawBufferPointer(start: reply.pointee.str, count: Int(reply.pointee.len)).prefix(32)
        let word = text.prefix { (65...90).contains($0) }
        return word.isEmpty ? "an error" : String(decoding: word, as: UTF8.self)
    }

    /// The library's words for the failure: of the system, or of the protocol. They quote no reply but its first byte.
    private static func reason(_ context: UnsafeMutablePointer<redisContext>) -> String {
        let text = withUnsafeBytes(of: &context.pointee.errstr) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return text.isEmpty ? "has ended the connection" : "failed: \(text)"
    }

    deinit {
        redisFree(context)
        functions.deallocate()
    }
}
#endif
