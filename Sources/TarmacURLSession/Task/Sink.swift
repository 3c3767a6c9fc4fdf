import Foundation
import TarmacCore

/// Where the bytes of one response go.
enum Sink {
    case gathering(BodyGatherer)
    case streaming(StreamBuffer)
}
