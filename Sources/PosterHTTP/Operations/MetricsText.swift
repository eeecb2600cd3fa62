import PosterPipeline

/// A status as Prometheus reads it (text format 0.0.4).
struct MetricsText {
    private(set) var text = ""

    init(_ status: ServiceStatus) {
        let pipeline = status.pipeline
        self.counter("onesheet_variant_hits_total", "Variants answered from memory.", pipeline.hits)
        self.counter(
            "onesheet_variant_stale_hits_total", "Variants of stale originals answered from memory.",
            pipeline.staleHits)
        self.counter("onesheet_renders_total", "Variants made.", pipeline.renders)
        self.counter(
            "onesheet_renders_coalesced_total", "Requests that waited for the render of another.", pipeline.coalesced)
        self.counter(
            "onesheet_renders_discarded_total", "Renders of originals that were replaced meanwhile.",
            pipeline.discarded)
        self.counter("onesheet_overloaded_total", "Requests that found no room.", pipeline.overloaded)
        self.counter("onesheet_warmed_total", "Variants made before anybody asked.", pipeline.warmed)
        self.gauge("onesheet_warming", "Variants to be made before anybody asks.", status.warming)
        self.gauge("onesheet_revalidations", "Originals being revalidated.", pipeline.revalidations)
        self.gauge("onesheet_variants", "Variants in memory.", pipeline.variantCount)
        self.gauge("onesheet_variant_bytes", "What variants in memory cost.", pipeline.variantBytes)
        self.gauge("onesheet_variant_budget_bytes", "What they may cost.", pipeline.variantByteBudget)
        self.addDisk(status.disk)
        self.family(
            "onesheet_queue_running", "gauge", "Work that threads do.", status.queues.map { ($0.name, $0.running) })
        self.family("onesheet_queue_waiting", "gauge", "Work that waits.", status.queues.map { ($0.name, $0.waiting) })
        self.addOrigins(status.origins)
    }

    private mutating func addDisk(_ disk: ServiceStatus.Disk) {
        self.gauge("onesheet_originals", "Originals on disk.", disk.originals)
        self.gauge("onesheet_original_bytes", "What originals on disk take.", disk.bytes)
        self.gauge("onesheet_original_budget_bytes", "What they may take.", disk.byteBudget)
        self.counter(
            "onesheet_originals_unstored_total", "Originals that were served but could not be kept.", disk.unstored)
        self.counter("onesheet_originals_evicted_total", "Originals that made room for others.", disk.evicted)
        self.counter("onesheet_originals_damaged_total", "Files that were not as written.", disk.damaged)
    }

    private mutating func addOrigins(_ origins: [ServiceStatus.Origin]) {
        func each(_ value: (ServiceStatus.Origin) -> Int) -> [(String, Int)] { origins.map { ($0.name, value($0)) } }
        let states = ["closed": 0, "half-open": 1, "open": 2]
        self.family(
            "onesheet_origin_breaker", "gauge", "0 closed, 1 half-open, 2 open.", each { states[$0.breaker] ?? 0 })
        self.family("onesheet_origin_fetches", "gauge", "Fetches under way.", each { $0.underWay })
        self.family("onesheet_origin_waiting", "gauge", "Fetches that wait.", each { $0.waiting })
        self.family("onesheet_origin_attempts_total", "counter", "Requests sent.", each { $0.attempts })
        self.family("onesheet_origin_retries_total", "counter", "Requests sent again.", each { $0.retries })
        self.family("onesheet_origin_resumed_total", "counter", "Downloads that were resumed.", each { $0.resumed })
        self.family("onesheet_origin_failures_total", "counter", "Fetches that failed.", each { $0.failures })
    }

    private mutating func counter(_ name: String, _ help: String, _ value: Int) {
        self.text += "# HELP \(name) \(help)\n# TYPE \(name) counter\n\(name) \(value)\n"
    }

    private mutating func gauge(_ name: String, _ help: String, _ value: Int) {
        self.text += "# HELP \(name) \(help)\n# TYPE \(name) gauge\n\(name) \(value)\n"
    }

    /// Values by a name, which is the label's.
    private mutating func family(_ name: String, _ type: String, _ help: String, _ values: [(String, Int)]) {
        guard !values.isEmpty else { return }
        self.text += "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
        let label = name.hasPrefix("onesheet_origin") ? "origin" : "queue"
        for (key, value) in values { self.text += "\(name){\(label)=\"\(Self.escaped(key))\"} \(value)\n" }
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default: result.append(character)
            }
        }
    }
}
