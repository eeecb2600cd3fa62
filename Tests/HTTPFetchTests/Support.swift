import HTTPFetch
import PosterTesting

/// A fetcher that may connect to the loopback origins.
func makeFetcher(_ change: (inout FetchConfiguration) -> Void = { _ in }) throws -> Fetcher {
    var configuration = FetchConfiguration()
    configuration.allowPrivateAddresses = true
    change(&configuration)
    return try Fetcher(configuration: configuration)
}

extension Fetcher {
    /// Fetches into memory.
    @discardableResult
    func get(_ url: String, headers: [(name: String, value: String)] = []) async throws -> (FetchResponse, [UInt8]) {
        let sink = MemorySink()
        let response = try await self.fetch(FetchRequest(url: url, headers: headers), into: sink)
        return (response, sink.bytes)
    }
}

extension String {
    var bytes: [UInt8] { Array(self.utf8) }
}
