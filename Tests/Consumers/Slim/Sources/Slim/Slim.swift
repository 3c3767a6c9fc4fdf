import Tarmac
import TarmacURLSession

@main
struct Slim {
    static func main() async {
        let weather = Service("weather", host: "http://127.0.0.1:8080")
        let client = Client(transport: .urlSession, services: [weather])
        print(client.explain(.get("/forecast/{city}", ["city": "Chengdu"], as: String.self)))
        await client.shutdown()
    }
}
