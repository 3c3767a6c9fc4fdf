#if Tools
import Tarmac

/// The meaning of the program's exit status; `Documentation/CommandLine.md` and `tarmac help` list it.
enum ExitStatus: Int32, CaseIterable, Sendable {
    case landed = 0
    /// The client or the program itself failed.
    case other = 1
    /// Nothing was sent: bad arguments, URL, header or file.
    case refusedInput = 2
    case connection = 3
    case tls = 4
    case timeout = 5
    /// The server answered, and the answer is a failure.
    case rejected = 6
    /// The answer is damaged, too large, or not what it should be.
    case message = 7
    case redirect = 8
    /// Ctrl-C.
    case interrupted = 130
    /// The reader of the output has stopped, as after `| head`.
    case brokenPipe = 141

    init(_ error: any Error) {
        self =
            switch error {
            case let error as TarmacError where error.cause(as: BrokenPipe.self) != nil: .brokenPipe
            case let error as TarmacError: Self(error.code.category)
            case is CancellationError: .interrupted
            case is BrokenPipe: .brokenPipe
            default: .other
            }
    }

    init(_ category: TarmacError.Category) {
        self =
            switch category {
            case .input: .refusedInput
            case .connection: .connection
            case .tls: .tls
            case .timeout: .timeout
            case .rejected: .rejected
            case .message, .decoding: .message
            case .redirect: .redirect
            case .application: .other
            }
    }

    static let table = """
        EXIT STATUS:
          0  landed                    5  a time limit was reached
          1  anything else             6  the server answered with a failure
          2  refused before sending    7  the answer is damaged, or not as expected
          3  no connection             8  a redirect was not followed
          4  TLS failed              130  interrupted (Ctrl-C)
        """
}
#endif
