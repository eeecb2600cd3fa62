import CodecTesting
// The program, which is built beside the tests.
import PipelineSimulation
import PosterTesting
import Testing

/// Random schedules of a pipeline on a simulated machine, in a process of their own.
@Suite(.timeLimit(.hang))
struct PipelineSimulationTests {
    @Test func aThousandSchedulesKeepTheRules() async throws {
        let output = try OutputPipe()
        let program = try ChildProgram(
            BuiltProgram.path("PipelineSimulation"), ["1000"], output: output.descriptor, errors: output.descriptor)
        output.closeWriting()
        let (text, status) = try await onOwnThread {
            (String(decoding: output.readAll(), as: UTF8.self), program.wait())
        }
        #expect(status == 0, "replay with ONESHEET_SEED=…: \(text.suffix(20_000))")
    }
}
