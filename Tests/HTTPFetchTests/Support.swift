import PosterTesting

@testable import HTTPFetch

/// A fetcher that may connect to loopback origins and retries without pauses.
func makeFetcher(_ change: (inout FetchConfiguration) -> Void = { _ in }) throws -> Fetcher {
    try makeFetcher(timing: FetchTiming(), change)
}

func makeFetcher(
    timing: FetchTiming, proxy: ProxySettings = .current, names: ScriptedResolver? = nil,
    _ change: (inout FetchConfiguration) -> Void = { _ in }
) throws -> Fetcher {
    var configuration = FetchConfiguration()
    configuration.allowPrivateAddresses = true
    configuration.retry.baseDelay = .zero
    change(&configuration)
    return try Fetcher(
        configuration: configuration, timing: timing, proxy: proxy, lookUp: names?.lookUp ?? SystemResolver.lookUp)
}

extension Fetcher {
    /// Fetches a body into memory.
    @discardableResult
    func get(
        _ url: String, headers: [(name: String, value: String)] = [], credentials: [(name: String, value: String)] = []
    ) async throws -> (FetchResponse, [UInt8]) {
        let sink = MemorySink()
        let request = FetchRequest(url: url, headers: headers, credentials: credentials)
        let response = try await self.fetch(request, into: sink)
        return (response, sink.bytes)
    }
}

extension OriginServer {
    /// The server's base URLs under `count` host names, each of them a separate origin; without a trailing slash.
    ///
    /// - Parameter label: A label that no other test uses.
    func urls(named label: String, count: Int) -> [String] {
        (0..<count).map { number in
            let name = "\(number).\(label).urls.test"
            TestResolver.map(name, to: "127.0.0.1")
            return "http://\(name):\(self.port)"
        }
    }
}

extension String {
    var bytes: [UInt8] { Array(self.utf8) }
}
