import Foundation
import Tarmac

/// Where the bytes of one response go.
enum Sink {
    case gathering(BodyGatherer)
    case streaming(StreamBuffer)
}
