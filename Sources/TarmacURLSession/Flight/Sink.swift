import Foundation
import Tarmac

/// Where the bytes of one response go.
enum Sink {
    case gathering(BodyGatherer)
    /// The first bytes of a body nobody asked for, such as the error page of a failed download.
    case sampling(BodyGatherer)
    case streaming(StreamBuffer)
    case writing(FileSink)

    /// How a sample is cut: as much as an error keeps.
    static let sampleLimit = ResponseSnapshot.bodyLimit
}
