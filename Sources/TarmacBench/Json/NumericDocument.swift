#if Tools
import Foundation

/// A country's outline as GeoJSON: hundreds of rings, each of many points with 15 decimals.
enum NumericDocument {
    static func data() -> Data {
        var random = DocumentRandom(seed: 3)
        var points = 56_000
        var rings: [String] = []
        while points > 0 {
            let count = min(points, 4 + random.upTo(232))
            rings.append(ring(count, &random))
            points -= count
        }
        let geometry = #"{"type":"Polygon","coordinates":[\#(rings.joined(separator: ","))]}"#
        let feature = #"{"type":"Feature","properties":{"name":"Canada"},"geometry":\#(geometry)}"#
        return Data(#"{"type":"FeatureCollection","features":[\#(feature)]}"#.utf8)
    }

    private static func ring(_ count: Int, _ random: inout DocumentRandom) -> String {
        var longitude = -Double(55 + random.upTo(80)), latitude = Double(43 + random.upTo(38))
        let points = (0..<count).map { _ in
            longitude += Double(random.upTo(20_000) - 10_000) / 100_000
            latitude += Double(random.upTo(20_000) - 10_000) / 100_000
            // As such files have them: a double with more decimals than it holds, some of few digits.
            let format = random.once(in: 8) ? "%.6f" : "%.15f"
            return "[\(String(format: format, longitude)),\(String(format: format, latitude))]"
        }
        return "[" + points.joined(separator: ",") + "]"
    }
}
#endif
