import Glibc
import PosterCodec
import Synchronization

/// Measures posters per second with one thread and with one thread per core.
struct Throughput {
    let originals: [String]
    let width: Int
    var seconds = 2.0

    func outcome() throws -> Outcome {
        let cores = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        let way = DownsampledRender(format: .jpeg, width: self.width)
        // Failing originals were reported before.
        let inputs = try self.originals.map { try MappedInput($0) }.filter { (try? way.run($0.file)) != nil }
        guard !inputs.isEmpty else { throw BenchError("none of the files can be rendered") }
        var outcome = Outcome()
        var rows = [["threads", "posters/s", "of one thread"]]
        var single = 0.0
        for threads in cores == 1 ? [1] : [1, cores] {
            let rate = self.rate(inputs, threads: threads)
            if threads == 1 { single = rate }
            rows.append(["\(threads)", rate.fixed(1), (rate / single).fixed(2)])
            outcome.figures.append(Figure("speed throughput \(threads) threads", rate, "posters/s"))
        }
        outcome.tables = [
            .init(title: "Throughput, all originals by turns, JPEG out, \(self.width) pixels", rows: rows)
        ]
        return outcome
    }

    /// Each thread begins with a different original and proceeds until the time is up.
    private func rate(_ inputs: [MappedInput], threads: Int) -> Double {
        let way = DownsampledRender(format: .jpeg, width: self.width)
        let duration = UInt64(self.seconds * 1e9)
        let renders = Renders()
        let nanoseconds = ThreadTeam.run(threads) { thread in
            let end = Clock.now() + duration
            var next = thread * inputs.count / threads
            while Clock.now() < end {
                if (try? way.run(inputs[next % inputs.count].file)) != nil {
                    renders.count.add(1, ordering: .relaxed)
                }
                next += 1
            }
        }
        return Double(renders.count.load(ordering: .relaxed)) / (Double(nanoseconds) / 1e9)
    }

    private final class Renders: Sendable {
        let count = Atomic(0)
    }

    private final class MappedInput: Sendable {
        let file: MappedFile

        init(_ path: String) throws(BenchError) {
            self.file = try MappedFile(path)
        }
    }
}
