import CoreMetrics
import PosterTesting
import PrometheusMetrics
import Testing

struct PrometheusRegistryTests {
    @Test func aCounterIsExportedAsATotalWithItsHelp() {
        let registry = PrometheusRegistry(descriptions: [MetricDescription("app.things", "Things.\nAll \\ of them.")])
        let counter = Counter(label: "app.things", dimensions: [("kind", "good")], factory: registry)
        counter.increment()
        counter.increment(by: 41)
        counter.increment(by: -7)
        Counter(label: "app.things", dimensions: [("kind", "bad")], factory: registry).increment(by: 3)
        #expect(
            registry.text.hasPrefix(
                """
                # HELP app_things_total Things.\\nAll \\\\ of them.
                # TYPE app_things_total counter
                app_things_total{kind="bad"} 3
                app_things_total{kind="good"} 42

                """))
    }

    @Test func twoCountersOfOneNameAreOneSeries() {
        let registry = PrometheusRegistry(descriptions: [])
        for _ in 0..<2 {
            Counter(label: "things", dimensions: [("a", "1"), ("b", "2")], factory: registry).increment()
            Counter(label: "things", dimensions: [("b", "2"), ("a", "1")], factory: registry).increment()
        }
        #expect(registry.seriesCount == 1)
        #expect(registry.text.contains("things_total{a=\"1\",b=\"2\"} 4\n"))
    }

    @Test func aTimerIsAHistogramInSecondsWithCumulativeBuckets() {
        let registry = PrometheusRegistry(descriptions: [MetricDescription("wait", "Waits.", bounds: [0.01, 0.1, 1])])
        let timer = Timer(label: "wait", factory: registry)
        for milliseconds in [1, 10, 50, 5000] { timer.recordMilliseconds(milliseconds) }
        #expect(
            registry.text.hasPrefix(
                """
                # HELP wait_seconds Waits.
                # TYPE wait_seconds histogram
                wait_seconds_bucket{le="0.01"} 2
                wait_seconds_bucket{le="0.1"} 3
                wait_seconds_bucket{le="1"} 3
                wait_seconds_bucket{le="+Inf"} 4
                wait_seconds_sum 5.061
                wait_seconds_count 4

                """))
    }

    @Test func gaugesGoUpAndDownAndAreGoneWhenTheyAreLetGo() {
        let registry = PrometheusRegistry(descriptions: [])
        let meter = Meter(label: "level", factory: registry)
        meter.set(5)
        meter.increment(by: 2.5)
        meter.decrement()
        #expect(registry.text.contains("# TYPE level gauge\nlevel 6.5\n"))
        meter.destroy()
        #expect(!registry.text.contains("level"))
        #expect(registry.seriesCount == 0)
    }

    @Test func recordersAreHistogramsIfTheyAggregateAndGaugesIfNot() {
        let registry = PrometheusRegistry(descriptions: [])
        Recorder(label: "sizes", factory: registry).record(7)
        Gauge(label: "size", factory: registry).record(7)
        let sum = FloatingPointCounter(label: "sum", factory: registry)
        sum.increment(by: 0.5)
        sum.increment(by: -Double.infinity)
        sum.increment(by: Double.nan)
        #expect(registry.text.contains("sizes_bucket{le=\"10\"} 1\n"))
        #expect(registry.text.contains("# TYPE size gauge\nsize 7\n"))
        #expect(registry.text.contains("sum_total 0.5\n"))
    }

    @Test func noSeriesIsMadeBeyondTheLimitAndWhatItWouldHaveHeldIsCounted() {
        var limits = PrometheusRegistry.Limits()
        limits.series = 3
        let registry = PrometheusRegistry(descriptions: [], limits: limits)
        for number in 0..<10 {
            Counter(label: "things", dimensions: [("number", "\(number)")], factory: registry).increment()
        }
        Meter(label: "other", factory: registry).set(1)
        #expect(registry.seriesCount == 3)
        #expect(registry.text.contains("onesheet_metrics_dropped_samples_total 8\n"))
        Counter(label: "things", dimensions: [("number", "0")], factory: registry).increment()
        #expect(registry.text.contains("things_total{number=\"0\"} 2\n"), "those that are there go on")
    }

    @Test func aNameIsOfOneKind() {
        let registry = PrometheusRegistry(descriptions: [])
        Meter(label: "things_total", factory: registry).set(5)
        Counter(label: "things", factory: registry).increment()
        #expect(registry.text.contains("things_total 5\n"))
        #expect(registry.text.contains("onesheet_metrics_dropped_samples_total 1\n"))
    }

    @Test func nothingInANameOrAValueCanLookLikeAnotherLine() throws {
        let registry = PrometheusRegistry(descriptions: [])
        let dimensions = [
            ("a b", "1"), ("__name__", "x"), ("9", "digit"), ("v", "a\"} 7\nother 9\\"), ("v", "twice"), ("é", "ü"),
        ]
        Counter(label: "bad name\n{x}", dimensions: dimensions, factory: registry).increment()
        Timer(label: "time", dimensions: [("le", "5")], factory: registry).recordSeconds(1)
        let lines = registry.text.split(separator: "\n").filter { $0.hasPrefix("bad") }
        #expect(
            lines == [
                #"bad_name__x__total{_9="digit",__="ü",_name__="x",a_b="1",v="a\"} 7\nother 9\\"} 1"#
            ] || lines.count == 1, "\(lines)")
        #expect(registry.text.contains(#"time_seconds_bucket{le_="5",le="1"} 1"#))
    }

    @Test func aLongValueIsCut() {
        var limits = PrometheusRegistry.Limits()
        limits.labelValueLength = 5
        let registry = PrometheusRegistry(descriptions: [], limits: limits)
        Counter(label: "a", dimensions: [("v", "ééé")], factory: registry).increment()
        #expect(registry.text.contains("a_total{v=\"éé\"} 1\n"))
    }

    @Test func nothingIsLostWhenManyRecordAtOnceAndOthersRead() async {
        let registry = PrometheusRegistry(descriptions: [])
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    let counter = Counter(label: "things", factory: registry)
                    let timer = Timer(label: "time", factory: registry)
                    for _ in 0..<1000 {
                        counter.increment()
                        timer.recordMilliseconds(500)
                    }
                    Counter(label: "one", dimensions: [("n", "\(number)")], factory: registry).increment()
                }
                group.addTask { for _ in 0..<20 { _ = registry.text } }
            }
        }
        let text = registry.text
        #expect(text.contains("things_total 8000\n"))
        #expect(text.contains("time_seconds_count 8000\n"))
        #expect(text.contains("time_seconds_sum 4000\n"))
        #expect(registry.seriesCount == 10)
    }
}
