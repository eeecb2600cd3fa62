/// A Lua script for wrk: the requests of its connections, and the report of results.
struct WrkScript {
    /// Prefix of the result line. It is followed by requests, microseconds, 50 %, 99 % and 99.9 % of latency in
    /// microseconds, errors, and requests begun.
    static let mark = "poster-bench"

    let lua: String

    /// Repeats the same request.
    ///
    /// - Parameter fields: Header fields.
    init(target: String, fields: [(name: String, value: String)] = []) {
        let lines = fields.map { "wrk.headers[\(Self.literal($0.name))] = \(Self.literal($0.value))" }
        self.lua = "wrk.path = \(Self.literal(target))\n\(lines.joined(separator: "\n"))\n\(Self.report)"
    }

    /// Requests a new variant each time.
    init(_ variants: ColdVariants, on server: Server) {
        self.lua = """
            local threads = {}
            function setup(thread)
                thread:set("index", #threads)
                table.insert(threads, thread)
                for _, each in ipairs(threads) do each:set("step", #threads) end
            end
            local ids = { \(variants.ids.map(Self.literal).joined(separator: ", ")) }
            local pattern = \(Self.literal(server.target("{id}", "{w}", "{q}")))
            begun = 0
            cached = 0
            function request()
                local n = \(variants.next) + index + begun * step
                begun = begun + 1
                local round = math.floor(n / #ids)
                local values = {
                    id = ids[n % #ids + 1],
                    w = \(ColdVariants.widths.lowerBound) + round * \(ColdVariants.stride) % \(ColdVariants.widths.count),
                    q = \(ColdVariants.qualities.lowerBound) +
                        math.floor(round / \(ColdVariants.widths.count)) % \(ColdVariants.qualities.count)
                }
                return wrk.format("GET", (string.gsub(pattern, "{(%w+)}", values)))
            end
            function response(status, headers)
                local way = headers["Cache-Status"]
                if way and string.find(way, "hit", 1, true) then cached = cached + 1 end
            end
            function extra()
                local begun, cached = 0, 0
                for _, thread in ipairs(threads) do
                    begun = math.max(begun, thread:get("begun") * #threads)
                    cached = cached + thread:get("cached")
                end
                return begun, cached
            end
            \(Self.report)
            """
    }

    private static let report = """
        function done(summary, latency, requests)
            local begun, cached = summary.requests, 0
            if extra then begun, cached = extra() end
            local errors = summary.errors
            local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout + cached
            print(string.format("\(Self.mark) %d %d %d %d %d %d %d", summary.requests, summary.duration,
                latency:percentile(50), latency:percentile(99), latency:percentile(99.9), failed, begun))
        end

        """

    private static func literal(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
