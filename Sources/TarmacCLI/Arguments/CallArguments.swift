#if Tools
import ArgumentParser
import Tarmac
import TarmacNIO
import TarmacURLSession

/// The arguments of `tarmac get` and the other verbs.
struct CallArguments: ParsableArguments {
    @Argument(help: "Where to; without a scheme https, and http for this machine (:8080/users).")
    var url: String

    @Argument(help: "Fields: name=value is text, name:=json is JSON. They make the JSON body, or the query of GET, HEAD, DELETE and OPTIONS.")
    var fields: [String] = []

    @Option(name: [.customShort("H"), .long], help: "A header field, 'Name: value'; 'Name:' leaves it out.")
    var header: [String] = []

    @Option(name: .shortAndLong, help: "An item of the query, name=value, whatever the method.")
    var query: [String] = []

    @Flag(help: "Send the fields as a form instead of JSON.")
    var form = false

    @Option(name: .shortAndLong, help: "The whole body: text, @FILE, or - for standard input.")
    var data: String?

    @Option(
        help: ArgumentHelp(
            "How long the whole call may take, redirects included. Without it there is no such limit, only 60 s to the head of the answer and 60 s between bytes.",
            valueName: "seconds"))
    var timeout: Double?

    @OptionGroup var trust: TrustArguments

    @OptionGroup var record: RecordArguments

    @Option(help: SignKeyArgument.fileHelp)
    var signKeyFile: String?

    @Option(help: SignKeyArgument.idHelp)
    var signKeyId: String?

    @Option(name: .shortAndLong, help: ArgumentHelp("Write the body to a file; it appears when it is complete.", valueName: "file"))
    var output: String?

    @Option(help: CacheArgument.help)
    var cache: String?

    @Flag(name: .shortAndLong, help: "Print status and header fields before the body; head does so anyway.")
    var include = false

    @Flag(name: .shortAndLong, help: "Say what happens on standard error, with the timings of each request; secrets are masked.")
    var verbose = false

    @Flag(help: "Print every setting and where it comes from, and send nothing; --curl may stand beside it.")
    var explain = false

    @Flag(help: "Print the call as a curl command, and send nothing; secrets are masked.")
    var curl = false

    @Flag(help: "Show secrets in --verbose and --curl.")
    var showSecrets = false

    @Option(help: TransportChoice.help)
    var transport = TransportChoice.nio
}

/// The transport of the calls.
enum TransportChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
    case nio
    case urlsession

    static let help: ArgumentHelp =
        "What carries the calls: nio or urlsession. On Linux three kinds of malformed answer end the process under urlsession: take nio for servers you do not trust."

    var factory: TransportFactory {
        switch self {
        case .nio: .asyncHTTPClient
        case .urlsession: .urlSession
        }
    }
}
#endif
